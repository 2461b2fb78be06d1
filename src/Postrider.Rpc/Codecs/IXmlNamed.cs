namespace Postrider.Rpc.Codecs;

/// <summary>Parts with names of their own.</summary>
internal interface IXmlNamed
{
    byte[][] Names { get; }
}
