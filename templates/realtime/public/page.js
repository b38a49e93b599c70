new EventSource("/ticks").addEventListener("tick", (event) => {
    document.querySelector("#ticks").textContent = event.data;
});

let socket;
function connect() {
    socket = new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}/rooms/lobby`);
    socket.onmessage = (event) => document.querySelector("pre").append(event.data, "\n");
    socket.onclose = () => setTimeout(connect, 1000); // reconnects, for example after a restart of the server
}
connect();

const form = document.forms[0];
form.onsubmit = (event) => {
    event.preventDefault();
    if (socket.readyState !== WebSocket.OPEN) return;
    socket.send(form.text.value);
    form.text.value = "";
};
