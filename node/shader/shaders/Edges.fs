/*{
  "DESCRIPTION": "Glowing lines where the picture changes",
  "CREDIT": "Submix",
  "ISFVSN": "2",
  "CATEGORIES": ["Stylize"],
  "INPUTS": [
    {"NAME": "inputImage", "TYPE": "image"},
    {"NAME": "strength", "LABEL": "Strength", "TYPE": "float", "DEFAULT": 2.0, "MIN": 0.0, "MAX": 10.0},
    {"NAME": "tint", "LABEL": "Colour of the lines", "TYPE": "color", "DEFAULT": [0.2, 1.0, 0.7, 1.0]}
  ]
}*/
float light(vec2 offset) {
  vec4 color = IMG_NORM_PIXEL(inputImage, isf_FragNormCoord + offset / RENDERSIZE);
  return dot(color.rgb, vec3(0.2126, 0.7152, 0.0722));
}
void main() {
  float across = light(vec2(1.0, 0.0)) - light(vec2(-1.0, 0.0));
  float along = light(vec2(0.0, 1.0)) - light(vec2(0.0, -1.0));
  float edge = clamp(length(vec2(across, along)) * strength, 0.0, 1.0);
  gl_FragColor = vec4(tint.rgb * edge, 1.0);
}
