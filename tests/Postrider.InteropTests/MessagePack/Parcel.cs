using Postrider.MessagePack;

namespace Postrider.InteropTests.MessagePack;

/// <summary>An object with index keys: an array on the wire.</summary>
[MessagePackObject]
public sealed record Parcel(
    [property: Key(0)] string Product, [property: Key(1)] int Quantity, [property: Key(2)] double Weight,
    [property: Key(3)] string[] Tags, [property: Key(4)] string? Note);

/// <summary>What the tests write and read.</summary>
[MessagePackSerializable(typeof(Parcel))]
[MessagePackSerializable(typeof(bool))]
[MessagePackSerializable(typeof(long))]
[MessagePackSerializable(typeof(double))]
[MessagePackSerializable(typeof(string))]
[MessagePackSerializable(typeof(byte[]))]
[MessagePackSerializable(typeof(string[]))]
[MessagePackSerializable(typeof(Dictionary<string, string>))]
[MessagePackSerializable(typeof(DateTime))]
internal sealed partial class Parcels : MessagePackContext;
