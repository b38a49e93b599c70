// SPDX-License-Identifier: Apache-2.0
#include "markup/program.hpp"
#include "markup/value.hpp"

namespace apus::markup {
namespace {

struct loop_state {
    const char* element = nullptr;
    std::size_t stride = 0, size = 0;
    std::uint64_t index = 0;  // from 1
    bool first = true, last = false;
};

class renderer {
public:
    renderer(const program& of, const void* model) : program_(of), model_(model), loops_(of.loops) {}

    bool run(std::size_t limit, std::string& out) {
        const std::size_t end = limit < out.max_size() - out.size() ? out.size() + limit : out.max_size();
        for (std::size_t at = 0; at < program_.operations.size();) {
            const auto& now = program_.operations[at++];
            switch (now.what) {
                case program::does::text: out.append(program_.text, now.first, now.second); break;
                case program::does::write: put(now, out); break;
                case program::does::jump: at = now.target; break;
                case program::does::jump_if: at = is_true(now) ? now.target : at; break;
                case program::does::jump_unless: at = is_true(now) ? at : now.target; break;
                case program::does::loop: at = begin(now) ? at : now.target; break;
                case program::does::next: at = go_on(loops_[now.second]) ? now.target : at; break;
            }
            if (out.size() > end) return false;
        }
        return true;
    }

private:
    // Returns null if an optional on the path is empty.
    const void* find(const program::path& path) const {
        const loop_state* loop = path.begins == program::from::model ? nullptr : &loops_[path.loop];
        const void* value = model_;
        switch (path.begins) {
            case program::from::model: break;
            case program::from::element: value = loop->element; break;
            case program::from::index: value = &loop->index; break;
            case program::from::first: value = &loop->first; break;
            case program::from::last: value = &loop->last; break;
        }
        for (std::uint32_t i = 0; i < path.steps; ++i) {
            const auto& step = program_.steps[path.first_step + i];
            value = step.held ? step.held->get(value) : static_cast<const char*>(value) + step.offset;
            if (!value) return nullptr;
        }
        return value;
    }

    void put(const program::operation& now, std::string& out) const {
        const auto& path = program_.paths[now.first];
        if (const void* value = find(path)) write(out, now.how, *path.of, value);
        else if (now.how == escape::script_value) out += " null";
    }

    bool is_true(const program::operation& now) const {
        const auto& path = program_.paths[now.first];
        const void* value = find(path);
        return value && is_there(*path.of, value);
    }

    bool begin(const program::operation& now) {
        const auto& path = program_.paths[now.first];
        const void* list = find(path);
        if (!list || path.of->list->size(list) == 0) return false;
        const std::size_t size = path.of->list->size(list);
        loops_[now.second] = {
            static_cast<const char*>(path.of->list->data(list)), path.of->list->stride, size, 1, true, size == 1};
        return true;
    }

    static bool go_on(loop_state& loop) {
        if (loop.index == loop.size) return false;
        loop.element += loop.stride;
        ++loop.index;
        loop.first = false;
        loop.last = loop.index == loop.size;
        return true;
    }

    const program& program_;
    const void* model_;
    std::vector<loop_state> loops_;
};

}  // namespace

bool render(const program& of, const void* model, std::size_t limit, std::string& out) {
    return renderer(of, model).run(limit, out);
}

}  // namespace apus::markup
