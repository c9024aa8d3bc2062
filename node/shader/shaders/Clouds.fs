/*{
  "DESCRIPTION": "Slow clouds in two colours",
  "CREDIT": "Submix",
  "ISFVSN": "2",
  "CATEGORIES": ["Generator"],
  "INPUTS": [
    {"NAME": "scale", "LABEL": "Size", "TYPE": "float", "DEFAULT": 3.0, "MIN": 0.5, "MAX": 12.0},
    {"NAME": "speed", "LABEL": "Speed", "TYPE": "float", "DEFAULT": 0.2, "MIN": 0.0, "MAX": 2.0},
    {"NAME": "contrast", "LABEL": "Contrast", "TYPE": "float", "DEFAULT": 1.6, "MIN": 0.2, "MAX": 4.0},
    {"NAME": "light", "LABEL": "Bright colour", "TYPE": "color", "DEFAULT": [0.9, 0.95, 1.0, 1.0]},
    {"NAME": "dark", "LABEL": "Dark colour", "TYPE": "color", "DEFAULT": [0.1, 0.15, 0.35, 1.0]}
  ]
}*/
float random(vec2 cell) { return fract(sin(dot(cell, vec2(127.1, 311.7))) * 43758.5453); }
float noise(vec2 at) {
  vec2 cell = floor(at);
  vec2 part = fract(at);
  part = part * part * (3.0 - 2.0 * part);
  float low = mix(random(cell), random(cell + vec2(1.0, 0.0)), part.x);
  float high = mix(random(cell + vec2(0.0, 1.0)), random(cell + vec2(1.0, 1.0)), part.x);
  return mix(low, high, part.y);
}
void main() {
  vec2 at = isf_FragNormCoord * vec2(RENDERSIZE.x / RENDERSIZE.y, 1.0) * scale;
  float sum = 0.0;
  float weight = 0.5;
  for (int i = 0; i < 5; ++i) {
    sum += weight * noise(at + TIME * speed * (1.0 + float(i) * 0.4));
    at = at * 2.03 + 17.0;
    weight *= 0.5;
  }
  float share = clamp((sum - 0.5) * contrast + 0.5, 0.0, 1.0);
  gl_FragColor = vec4(mix(dark.rgb, light.rgb, share), 1.0);
}
