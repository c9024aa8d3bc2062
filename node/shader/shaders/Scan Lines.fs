/*{
  "DESCRIPTION": "An old screen: lines, a bent picture and dark corners",
  "CREDIT": "Submix",
  "ISFVSN": "2",
  "CATEGORIES": ["Stylize"],
  "INPUTS": [
    {"NAME": "inputImage", "TYPE": "image"},
    {"NAME": "lines", "LABEL": "Lines", "TYPE": "float", "DEFAULT": 180.0, "MIN": 20.0, "MAX": 500.0},
    {"NAME": "depth", "LABEL": "How dark they are", "TYPE": "float", "DEFAULT": 0.4, "MIN": 0.0, "MAX": 1.0},
    {"NAME": "bend", "LABEL": "Bend", "TYPE": "float", "DEFAULT": 0.12, "MIN": 0.0, "MAX": 0.5},
    {"NAME": "corners", "LABEL": "Dark corners", "TYPE": "float", "DEFAULT": 0.5, "MIN": 0.0, "MAX": 1.0}
  ]
}*/
void main() {
  vec2 at = isf_FragNormCoord * 2.0 - 1.0;
  vec2 bent = at * (1.0 + bend * at.yx * at.yx);
  bool is_outside = max(abs(bent.x), abs(bent.y)) > 1.0;
  vec4 color = IMG_NORM_PIXEL(inputImage, bent * 0.5 + 0.5);
  float line = 0.5 + 0.5 * cos((bent.y * 0.5 + 0.5) * lines * 6.2831853);
  float shade = (1.0 - depth * line) * (1.0 - corners * 0.5 * dot(at, at));
  gl_FragColor = is_outside ? vec4(0.0, 0.0, 0.0, 1.0) : vec4(color.rgb * max(shade, 0.0), color.a);
}
