// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/io_plugins.hpp"

#include "node/io/camera/camera_out.hpp"
#include "node/io/capture/capture.hpp"
#include "node/io/clip/clip.hpp"
#include "node/io/clip/still.hpp"
#include "node/io/ffmpeg_log.hpp"
#include "node/io/record/record.hpp"
#include "node/io/send/send.hpp"
#include "node/io/text/text.hpp"
#include "node/io/window/window_description.hpp"

#include <utility>

namespace submix::io {

void add_io_plugins(plugin::Catalog& catalog, const MediaFolders& folders,
                    const SourceOpener& opener, std::shared_ptr<OutputControl> output,
                    std::shared_ptr<Displays> displays, std::shared_ptr<PlayedClips> clips) {
  silence_ffmpeg();
  catalog.add(camera_out_description(), make_camera_out, check_camera_out);
  catalog.add(capture_description(), make_capture, check_capture);
  catalog.add(clip_description(),
              [folders, opener, clips = std::move(clips)](const plugin::Setup& setup) {
                return make_clip(setup, folders, opener, clips);
              });
  catalog.add(
      record_description(),
      [folders](const plugin::Setup& setup) { return make_record(setup, folders); },
      [folders](const plugin::Setup& setup) { return check_record(setup, folders); });
  catalog.add(still_description(), [folders, opener](const plugin::Setup& setup) {
    return make_still(setup, folders, opener);
  });
  catalog.add(send_description(), make_send, check_send);
  const auto make_with_folders = [folders](const plugin::Setup& setup) {
    return make_text(setup, folders);
  };
  catalog.add(text_description(), make_with_folders);
  catalog.add(title_description(), make_with_folders);
  add_window_plugin(catalog, std::move(output), std::move(displays));
}

}  // namespace submix::io
