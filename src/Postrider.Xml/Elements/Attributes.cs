using System.Runtime.CompilerServices;

namespace Postrider.Xml.Elements;

/// <summary>The attributes of one element.</summary>
[InlineArray(Max)]
internal struct Attributes
{
    public const int Max = 16;

    private NameAndValue _first;
}
