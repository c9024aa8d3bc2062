// SPDX-License-Identifier: GPL-3.0-or-later
// The parameters of the plugin "clip".
#include "common/show/clip_bank.hpp"
#include "common/show/clip_beats.hpp"
#include "node/io/clip/clip.hpp"
#include "node/io/media_folders.hpp"
#include "node/io/picture_fit.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace submix::io {
namespace {

using plugin::ParameterType;

// The ranges of sliders. Greater values of older shows are clamped, with a warning.
constexpr double kPointMax = 7200;
constexpr double kSeriesRateMax = 240;
constexpr std::size_t kSoundTracksMax = 32;

plugin::ParameterDescription whole_number_from(std::string_view name, std::string explanation,
                                               double initial, std::size_t most) {
  auto number = plugin::number_parameter(std::string(name), std::move(explanation), initial,
                                         initial, static_cast<double>(most));
  number.is_integer = true;
  return number;
}

}  // namespace

plugin::Description clip_description() {
  return {
      .id = "clip",
      .kind = plugin::Kind::source,
      .explanation = "Plays a video file",
      .author = "Submix",
      .parameters =
          {
              {"file", ParameterType::text,
               "the video, or numbered pictures as glow_%04d.png, below the node's media folder",
               std::string()},
              {"loop", ParameterType::boolean,
               "starts again at the end; else holds the last picture", true},
              {"speed", ParameterType::number,
               "1 is as recorded, 0 freezes, below 0 plays backwards", 1.0, -show::kClipSpeedMax,
               show::kClipSpeedMax},
              {std::string(show::kClipBeats), ParameterType::number,
               "beats that the played part lasts, at the show's tempo, whatever the speed; 0: as "
               "the "
               "speed says",
               0.0, 0.0, show::kClipBeatsMax},
              {"offset", ParameterType::number, "seconds that every frame shows later in the clip",
               0.0, -kPointMax, kPointMax},
              {std::string(show::kClipIn), ParameterType::number,
               "first moment to play of clip 1, in seconds", 0.0, 0.0, kPointMax},
              {std::string(show::kClipOut), ParameterType::number,
               "moment of clip 1 to end before, in seconds; 0: the clip's end", 0.0, 0.0,
               kPointMax},
              {std::string(show::kClipBank), ParameterType::text,
               "clips 2 to 8, with | between them; those that do not play wait, ready to begin",
               std::string()},
              {std::string(show::kClipParts), ParameterType::text,
               "in and out points of clips 2 to 8 in seconds, as 1.5-4||2-, with | between the "
               "clips",
               std::string()},
              whole_number_from(show::kBankClip, "the clip that plays; a change begins it anew", 1,
                                show::kBankClipsMax),
              {std::string(show::kClipPoints), ParameterType::text,
               "cue points of each clip in seconds, with | between the clips", std::string()},
              whole_number_from(show::kCuePoint, "a change jumps to this cue point; 0: to none", 0,
                                show::kCuePointsMax),
              {"fit", ParameterType::text,
               "letterbox (clear bars), fill (cut the edges) or stretch", std::string("letterbox"),
               0.0, 1.0, fit_names()},
              {"series_rate", ParameterType::number,
               "pictures a second of a series of numbered pictures", kSeriesRate, 1.0,
               kSeriesRateMax},
              whole_number_from(
                  "sound_track",
                  "the file's sound track, where the show follows this clip; 0: the main "
                  "one",
                  0, kSoundTracksMax),
          },
      .follows_beats = true};
}

}  // namespace submix::io
