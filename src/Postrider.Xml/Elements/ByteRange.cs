namespace Postrider.Xml.Elements;

/// <summary>A part of the input.</summary>
internal readonly record struct Slice(int At, int Bytes);
