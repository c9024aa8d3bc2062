// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/window/window.hpp"

#include "common/base/mutex.hpp"
#include "common/show/output_name.hpp"
#include "node/io/parameters.hpp"
#include "node/io/window/window_description.hpp"
#include "node/io/window/window_thread.hpp"
#include "node/plugin/acts_at_once.hpp"

#include <atomic>
#include <utility>

namespace submix::io {
namespace {

WindowSettings settings_of(const plugin::Setup& setup, std::uint64_t fullscreen_changes = 0) {
  const auto& title = parameter<std::string>(setup.parameters, "title");
  const auto pixels = [&](const char* name) {
    return static_cast<int>(parameter<double>(setup.parameters, name));
  };
  return {.title = title.empty() ? show::output_name({setup.submix, setup.slot}) : title,
          .screen = parameter<std::string>(setup.parameters, "screen"),
          .display = static_cast<int>(parameter<double>(setup.parameters, "display")),
          .spot = {pixels("left"), pixels("top"), pixels("width")},
          .is_fullscreen = parameter<bool>(setup.parameters, "fullscreen"),
          .fullscreen_changes = fullscreen_changes,
          .is_visible = parameter<bool>(setup.parameters, "visible"),
          .has_vsync = parameter<bool>(setup.parameters, "vsync"),
          .rate = setup.rate};
}

class Window final : public plugin::Plugin, public plugin::ActsAtOnce {
 public:
  Window(plugin::Setup setup, std::shared_ptr<WindowThread> thread,
         std::shared_ptr<WindowMailbox> mailbox)
      : setup_(std::move(setup)), thread_(std::move(thread)), mailbox_(std::move(mailbox)) {}
  ~Window() override { mailbox_->close(); }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  std::optional<media::Frame> process(plugin::Work& work) override {
    const auto& input = work.inputs.front();
    const plugin::Waiting waiting(work, plugin::StageState::blocked);
    const auto outcome =
        mailbox_->hand_over({input, work.position, work.is_after_pause}, work.stop);
    if (outcome == WindowMailbox::Handover::stopped) return std::nullopt;
    if (outcome == WindowMailbox::Handover::not_shown)
      unseen_.fetch_add(1, std::memory_order_relaxed);
    return input;
  }

  // A change that was made at once is not made again: meanwhile a person may have left full screen.
  void set(std::string_view name, const show::ParameterValue& value) override {
    const MutexLock lock(mutex_);
    const auto made = made_at_once_.find(name);
    const bool is_made = made != made_at_once_.end() && made->second == value;
    if (is_made) {
      made_at_once_.erase(made);
    } else {
      change(name, value);
    }
  }

  void set_at_once(std::string_view name, const show::ParameterValue& value) override {
    const MutexLock lock(mutex_);
    made_at_once_.insert_or_assign(std::string(name), value);
    change(name, value);
  }

  plugin::Pace pace() const override {
    return mailbox_->keeps_time() ? plugin::Pace::display : plugin::Pace::show;
  }

  plugin::Lateness lateness() const override { return mailbox_->lateness(); }

  plugin::PluginTraits traits() const override {
    return {.frames_retained = 2};  // on the screen, and handed over
  }

  std::vector<std::pair<std::string, std::uint64_t>> counters() const override {
    const auto place = mailbox_->place();
    return {{"unseen", unseen_.load(std::memory_order_relaxed)},
            {"display", place.display},
            {"full_screen", place.is_fullscreen ? 1 : 0}};
  }

  std::string trouble() const override { return mailbox_->place().trouble; }

 private:
  void change(std::string_view name, const show::ParameterValue& value) SUBMIX_REQUIRES(mutex_) {
    setup_.parameters.insert_or_assign(std::string(name), value);
    if (name == "fullscreen") ++fullscreen_changes_;
    mailbox_->set(settings_of(setup_, fullscreen_changes_));
  }

  Mutex mutex_;
  plugin::Setup setup_ SUBMIX_GUARDED_BY(mutex_);
  show::Parameters made_at_once_ SUBMIX_GUARDED_BY(mutex_);  // not yet come with a frame
  std::shared_ptr<WindowThread> thread_;
  std::shared_ptr<WindowMailbox> mailbox_;
  std::uint64_t fullscreen_changes_ SUBMIX_GUARDED_BY(mutex_) = 0;
  std::atomic<std::uint64_t> unseen_{0};
};

}  // namespace

Result<std::unique_ptr<plugin::Plugin>> make_window(const plugin::Setup& setup,
                                                    std::shared_ptr<WindowThread> thread) {
  auto mailbox = thread->make_mailbox(setup.events, setup.about());
  mailbox->set(settings_of(setup));
  if (auto opened = thread->open(setup.size, mailbox); !opened) {
    mailbox->close();
    return fail("{}: {}", setup.about(), opened.error().message);
  }
  return std::make_unique<Window>(setup, std::move(thread), std::move(mailbox));
}

void add_window_plugin(plugin::Catalog& catalog, std::shared_ptr<OutputControl> output,
                       std::shared_ptr<Displays> displays) {
  auto thread = std::make_shared<WindowThread>(std::move(output), std::move(displays));
  thread->watch_displays();
  catalog.add(
      window_description(),
      [thread = std::move(thread)](const plugin::Setup& setup) {
        return make_window(setup, thread);
      },
      plugin::TryOut::none);
}

}  // namespace submix::io
