// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/frei0r/frei0r_known.hpp"

#include "common/show/document.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace submix::plugin {
namespace {

struct Known {
  std::string_view file;  ///< without ".so"; the name in frei0r 1.8
  std::string_view name;  ///< as the library gives it, like the next two
  std::string_view author;
  std::string_view version;
  Memory memory;
};

// The filters and mixers of frei0r 1.8 and 2, as probe_frei0r_memory() finds them. The two face
// detectors are missing, because they need pictures of faces.
constexpr std::array kKnown{
    Known{"3dflippo", "3dflippo", "c.e. prelz AS FLUIDO <fluido@fluido.as>", "0.1", Memory::frames},
    Known{"B", "B", "Richard Spindler", "0.9", Memory::none},
    Known{"G", "G", "Richard Spindler", "0.9", Memory::none},
    Known{"IIRblur", "IIR blur", "Marko Cebokli", "0.2", Memory::none},
    Known{"R", "R", "Richard Spindler", "0.9", Memory::none},
    Known{"RGB", "RGB", "Richard Spindler", "0.9", Memory::none},
    Known{"addition", "addition", "Jean-Sebastien Senecal", "0.2", Memory::none},
    Known{"addition_alpha", "addition_alpha", "Jean-Sebastien Senecal", "0.2", Memory::none},
    Known{"aech0r", "aech0r", "d-j-a-y & vloop", "0.1", Memory::frames},
    Known{"alpha0ps", "alpha0ps", "Marko Cebokli", "0.4", Memory::none},
    Known{"alphaatop", "alphaatop", "Jean-Sebastien Senecal", "0.2", Memory::none},
    Known{"alphagrad", "alphagrad", "Marko Cebokli", "0.2", Memory::none},
    Known{"alphain", "alphain", "Jean-Sebastien Senecal", "0.2", Memory::none},
    Known{"alphainjection", "Alpha Injection", "Richard Spindler", "0.9", Memory::none},
    Known{"alphaout", "alphaout", "Jean-Sebastien Senecal", "0.2", Memory::none},
    Known{"alphaover", "alphaover", "Jean-Sebastien Senecal", "0.2", Memory::none},
    Known{"alphaspot", "alphaspot", "Marko Cebokli", "0.1", Memory::none},
    Known{"alphaxor", "alphaxor", "Jean-Sebastien Senecal", "0.2", Memory::none},
    Known{"balanc0r", "White Balance", "Dan Dennedy", "0.3", Memory::none},
    Known{"baltan", "Baltan", "Kentaro, Jaromil", "3.1", Memory::frames},
    Known{"bgsubtract0r", "BgSubtract0r", "Samuel Mimram", "0.3", Memory::frames},
    Known{"blend", "blend", "Jean-Sebastien Senecal", "0.2", Memory::none},
    Known{"bluescreen0r", "bluescreen0r", "Hedde Bosman", "0.4", Memory::none},
    Known{"brightness", "Brightness", "Jean-Sebastien Senecal", "0.2", Memory::none},
    Known{"burn", "burn", "Jean-Sebastien Senecal", "0.2", Memory::none},
    Known{"bw0r", "bw0r", "coma@gephex.org", "0.9", Memory::none},
    Known{"c0rners", "c0rners", "Marko Cebokli", "0.2", Memory::none},
    Known{"cairoaffineblend", "cairoaffineblend", "Janne Liljeblad", "0.10", Memory::none},
    Known{"cairoblend", "cairoblend", "Janne Liljeblad", "0.10", Memory::none},
    Known{"cairogradient", "cairogradient", "Janne Liljeblad", "1.0", Memory::none},
    Known{"cairoimagegrid", "cairoimagegrid", "Janne Liljeblad", "0.9", Memory::none},
    Known{"cartoon", "Cartoon", "Dries Pruimboom, Jaromil", "2.2", Memory::none},
    Known{"cluster", "K-Means Clustering", "binarymillenium", "0.1", Memory::frames},
    Known{"colgate", "White Balance (LMS space)", "Steinar H. Gunderson", "0.1", Memory::none},
    Known{"color_only", "color_only", "Jean-Sebastien Senecal", "0.2", Memory::none},
    Known{"coloradj_RGB", "coloradj_RGB", "Marko Cebokli", "0.2", Memory::none},
    Known{"colordistance", "Color Distance", "Richard Spindler", "0.2", Memory::none},
    Known{"colorhalftone", "colorhalftone", "Janne Liljeblad", "0.9", Memory::none},
    Known{"colorize", "colorize", "Janne Liljeblad", "0.1", Memory::none},
    Known{"colortap", "colortap", "Janne Liljeblad", "0.9", Memory::none},
    Known{"composition", "Composition", "Richard Spindler", "0.9", Memory::none},
    Known{"contrast0r", "Contrast0r", "Jean-Sebastien Senecal", "0.2", Memory::none},
    Known{"curves", "Curves", "Maksim Golovkin, Till Theato", "0.4", Memory::frames},
    Known{"d90stairsteppingfix", "Nikon D90 Stairstepping fix", "Simon A. Eugster (Granjow)", "0.2",
          Memory::none},
    Known{"darken", "darken", "Jean-Sebastien Senecal", "0.2", Memory::none},
    Known{"defish0r", "Defish0r", "Marko Cebokli", "0.3", Memory::none},
    Known{"delay0r", "delay0r", "Martin Bayer", "0.2", Memory::frames},
    Known{"delaygrab", "Delaygrab", "Bill Spinhover, Andreas Schiffler, Jaromil", "3.1",
          Memory::frames},
    Known{"difference", "difference", "Jean-Sebastien Senecal", "0.2", Memory::none},
    Known{"distort0r", "Distort0r", "Gephex crew", "0.10", Memory::frames},
    Known{"dither", "dither", "Janne Liljeblad", "0.1", Memory::none},
    Known{"divide", "divide", "Jean-Sebastien Senecal", "0.2", Memory::none},
    Known{"dodge", "dodge", "Jean-Sebastien Senecal", "0.2", Memory::none},
    Known{"edgeglow", "Edgeglow", "Salsaman", "0.3", Memory::none},
    Known{"elastic_scale", "Elastic scale filter", "Matthias Schnoell", "0.2", Memory::none},
    Known{"emboss", "emboss", "Janne Liljeblad", "0.1", Memory::none},
    Known{"equaliz0r", "Equaliz0r", "Jean-Sebastien Senecal (Drone)", "0.2", Memory::none},
    Known{"facebl0r", "FaceBl0r", "ZioKernel, Biilly, Jilt, Jaromil, ddennedy", "1.1",
          Memory::frames},
    Known{"facedetect", "opencvfacedetect", "binarymillenium, ddennedy", "2.0", Memory::frames},
    Known{"flippo", "Flippo", "Carlo Emilio, Jean-Sebastien Senecal", "0.1", Memory::none},
    Known{"gamma", "Gamma", "Jean-Sebastien Senecal", "0.2", Memory::none},
    Known{"glitch0r", "Glitch0r", "IDENT Software", "0.1", Memory::frames},
    Known{"glow", "Glow", "Richard Spindler", "0.1", Memory::none},
    Known{"grain_extract", "grain_extract", "Jean-Sebastien Senecal", "0.2", Memory::none},
    Known{"grain_merge", "grain_merge", "Jean-Sebastien Senecal", "0.2", Memory::none},
    Known{"hardlight", "hardlight", "Jean-Sebastien Senecal", "0.2", Memory::none},
    Known{"hqdn3d", "hqdn3d", "Marko Cebokli, Daniel Moreno", "0.1", Memory::frames},
    Known{"hue", "hue", "Jean-Sebastien Senecal", "0.2", Memory::none},
    Known{"hueshift0r", "Hueshift0r", "Jean-Sebastien Senecal", "0.3", Memory::none},
    Known{"invert0r", "Invert0r", "Gephex crew", "0.9", Memory::none},
    Known{"keyspillm0pup", "keyspillm0pup", "Marko Cebokli", "0.3", Memory::none},
    Known{"lenscorrection", "Lens Correction", "Richard Spindler", "0.2", Memory::none},
    Known{"letterb0xed", "LetterB0xed", "Richard Spindler", "0.1", Memory::none},
    Known{"levels", "Levels", "Maksim Golovkin", "0.4", Memory::none},
    Known{"lighten", "lighten", "Jean-Sebastien Senecal", "0.2", Memory::none},
    Known{"lightgraffiti", "Light Graffiti", "Simon A. Eugster (Granjow)", "0.3", Memory::frames},
    Known{"luminance", "Luminance", "Richard Spindler", "0.2", Memory::none},
    Known{"mask0mate", "Mask0Mate", "Richard Spindler", "0.1", Memory::none},
    Known{"medians", "Medians", "Marko Cebokli", "0.1", Memory::frames},
    Known{"multiply", "multiply", "Jean-Sebastien Senecal", "0.2", Memory::none},
    Known{"ndvi", "NDVI filter", "Brian Matherly", "0.2", Memory::none},
    Known{"nervous", "Nervous", "Tannenbaum, Kentaro, Jaromil", "3.1", Memory::frames},
    Known{"normaliz0r", "Normaliz0r", "Chungzuwalla (chungzuwalla@rling.com)", "0.1",
          Memory::frames},
    Known{"nosync0r", "nosync0r", "Martin Bayer", "0.2", Memory::none},
    Known{"overlay", "overlay", "Jean-Sebastien Senecal", "0.2", Memory::none},
    Known{"perspective", "Perspective", "Richard Spindler", "0.1", Memory::none},
    Known{"pixeliz0r", "pixeliz0r", "Gephex crew", "1.0", Memory::none},
    Known{"posterize", "posterize", "Janne Liljeblad", "0.1", Memory::none},
    Known{"pr0be", "pr0be", "Marko Cebokli", "0.1", Memory::none},
    Known{"pr0file", "pr0file", "Marko Cebokli", "0.2", Memory::none},
    Known{"premultiply", "Premultiply or Unpremultiply", "Dan Dennedy", "0.2", Memory::none},
    Known{"primaries", "primaries", "Hedde Bosman", "0.2", Memory::none},
    Known{"rgbnoise", "rgbnoise", "Janne Liljeblad", "0.9", Memory::frames},
    Known{"rgbparade", "RGB-Parade", "Albert Frisch", "0.2", Memory::none},
    Known{"rgbsplit0r", "rgbsplit0r", "IDENT Software", "1.1", Memory::none},
    Known{"saturat0r", "Saturat0r", "Jean-Sebastien Senecal", "0.3", Memory::none},
    Known{"saturation", "saturation", "Jean-Sebastien Senecal", "0.2", Memory::none},
    Known{"scale0tilt", "Scale0Tilt", "Richard Spindler", "0.1", Memory::none},
    Known{"scanline0r", "scanline0r", "Martin Bayer", "0.3", Memory::none},
    Known{"screen", "screen", "Jean-Sebastien Senecal", "0.2", Memory::none},
    Known{"select0r", "select0r", "Marko Cebokli", "0.6", Memory::none},
    Known{"sharpness", "Sharpness", "Marko Cebokli, Remi Guyomarch", "0.2", Memory::none},
    Known{"sigmoidaltransfer", "sigmoidaltransfer", "Janne Liljeblad", "0.9", Memory::none},
    Known{"sobel", "Sobel", "Jean-Sebastien Senecal (Drone)", "0.2", Memory::none},
    Known{"softglow", "softglow", "Janne Liljeblad", "0.9", Memory::none},
    Known{"softlight", "softlight", "Jean-Sebastien Senecal", "0.2", Memory::none},
    Known{"sopsat", "SOP/Sat", "Simon A. Eugster (Granjow)", "0.3", Memory::none},
    Known{"spillsupress", "spillsupress", "Janne Liljeblad", "0.1", Memory::none},
    Known{"squareblur", "Squareblur", "Drone", "0.1", Memory::none},
    Known{"subtract", "subtract", "Jean-Sebastien Senecal", "0.2", Memory::none},
    Known{"tehroxx0r", "TehRoxx0r", "Coma", "0.9", Memory::frames},
    Known{"three_point_balance", "3 point color balance", "Maksim Golovkin", "0.1", Memory::none},
    Known{"threelay0r", "threelay0r", "Hedde Bosman", "0.2", Memory::none},
    Known{"threshold0r", "Threshold0r", "Jean-Sebastien Senecal", "0.2", Memory::none},
    Known{"timeout", "Timeout indicator", "Simon A. Eugster", "0.2", Memory::none},
    Known{"tint0r", "Tint0r", "Maksim Golovkin", "0.1", Memory::none},
    Known{"transparency", "Transparency", "Richard Spindler", "0.9", Memory::none},
    Known{"twolay0r", "Twolay0r", "Martin Bayer", "0.2", Memory::none},
    Known{"value", "value", "Jean-Sebastien Senecal", "0.2", Memory::none},
    Known{"vectorscope", "Vectorscope", "Albert Frisch", "0.2", Memory::none},
    Known{"vertigo", "Vertigo", "Fukuchi Kentarou", "1.2", Memory::frames},
    Known{"vignette", "Vignette", "Simon A. Eugster (Granjow)", "0.2", Memory::none},
    Known{"xfade0r", "xfade0r", "Martin Bayer", "0.2", Memory::none},
    // Of frei0r 2: other versions, and plugins that frei0r 1.8 does not have.
    Known{"alphaspot", "alphaspot", "Marko Cebokli", "0.2", Memory::none},
    Known{"defish0r", "Defish0r", "Marko Cebokli", "0.4", Memory::none},
    Known{"dodge", "dodge", "Jean-Sebastien Senecal", "0.3", Memory::none},
    Known{"filmgrain", "Film Grain", "esmane", "0.1", Memory::frames},
    Known{"gateweave", "Gate Weave", "esmane", "0.2", Memory::frames},
    Known{"kaleid0sc0pe", "Kaleid0sc0pe", "Brendan Hack", "1.1", Memory::none},
    Known{"sleid0r_push-down", "push-down", "Vadim Druzhin", "0.1", Memory::none},
    Known{"sleid0r_push-left", "push-left", "Vadim Druzhin", "0.1", Memory::none},
    Known{"sleid0r_push-right", "push-right", "Vadim Druzhin", "0.1", Memory::none},
    Known{"sleid0r_push-up", "push-up", "Vadim Druzhin", "0.1", Memory::none},
    Known{"sleid0r_slide-down", "slide-down", "Vadim Druzhin", "0.1", Memory::none},
    Known{"sleid0r_slide-left", "slide-left", "Vadim Druzhin", "0.1", Memory::none},
    Known{"sleid0r_slide-right", "slide-right", "Vadim Druzhin", "0.1", Memory::none},
    Known{"sleid0r_slide-up", "slide-up", "Vadim Druzhin", "0.1", Memory::none},
    Known{"sleid0r_wipe-barn-door-h", "wipe-barn-door-h", "Vadim Druzhin", "0.1", Memory::none},
    Known{"sleid0r_wipe-barn-door-v", "wipe-barn-door-v", "Vadim Druzhin", "0.1", Memory::none},
    Known{"sleid0r_wipe-circle", "wipe-circle", "Vadim Druzhin", "0.1", Memory::none},
    Known{"sleid0r_wipe-down", "wipe-down", "Vadim Druzhin", "0.1", Memory::none},
    Known{"sleid0r_wipe-left", "wipe-left", "Vadim Druzhin", "0.1", Memory::none},
    Known{"sleid0r_wipe-rect", "wipe-rect", "Vadim Druzhin", "0.1", Memory::none},
    Known{"sleid0r_wipe-right", "wipe-right", "Vadim Druzhin", "0.1", Memory::none},
    Known{"sleid0r_wipe-up", "wipe-up", "Vadim Druzhin", "0.1", Memory::none},
};

}  // namespace

Memory known_frei0r_memory(const Description& description) {
  const auto* const found = std::find_if(kKnown.begin(), kKnown.end(), [&](const Known& known) {
    return description.id.substr(show::kFrei0rPrefix.size()) == known.file &&
           description.own_name == known.name && description.author == known.author &&
           description.version == known.version;
  });
  return found == kKnown.end() ? Memory::unknown : found->memory;
}

}  // namespace submix::plugin
