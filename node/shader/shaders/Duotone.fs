/*{
  "DESCRIPTION": "Dark and bright parts in a colour each",
  "CREDIT": "Submix",
  "ISFVSN": "2",
  "CATEGORIES": ["Color"],
  "INPUTS": [
    {"NAME": "inputImage", "TYPE": "image"},
    {"NAME": "dark", "LABEL": "Dark parts", "TYPE": "color", "DEFAULT": [0.1, 0.0, 0.35, 1.0]},
    {"NAME": "bright", "LABEL": "Bright parts", "TYPE": "color", "DEFAULT": [1.0, 0.85, 0.3, 1.0]},
    {"NAME": "steps", "LABEL": "Steps (0: smooth)", "TYPE": "float", "DEFAULT": 0.0, "MIN": 0.0, "MAX": 8.0}
  ]
}*/
void main() {
  vec4 color = IMG_THIS_PIXEL(inputImage);
  float light = dot(color.rgb, vec3(0.2126, 0.7152, 0.0722));
  float levels = floor(steps);
  if (levels >= 1.0) light = floor(light * levels + 0.5) / levels;
  gl_FragColor = vec4(mix(dark.rgb, bright.rgb, light), color.a);
}
