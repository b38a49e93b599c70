new EventSource("/ticks").addEventListener("tick", (event) => {
    document.querySelector("#ticks").textContent = event.data;
});

const socket = new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}/rooms/lobby`);
socket.onmessage = (event) => document.querySelector("pre").append(event.data, "\n");

const form = document.forms[0];
form.onsubmit = (event) => {
    event.preventDefault();
    socket.send(form.text.value);
    form.text.value = "";
};
