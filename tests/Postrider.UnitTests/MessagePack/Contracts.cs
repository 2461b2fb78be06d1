using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Numerics;
using Postrider.MessagePack;

namespace Postrider.UnitTests.MessagePack;

// What the tests write and read.
internal enum Color : byte
{
    Red = 1,
    Green = 200,
}

[MessagePackObject]
public sealed class Small
{
    [Key(0)] public Guid Id { get; set; }
}

[MessagePackObject]
public sealed class Address
{
    [Key(0)] public string Street { get; set; } = "";

    [Key(1)] public string City { get; set; } = "";

    [Key(2)] public string? Country { get; set; }
}

[MessagePackObject]
public sealed class Line
{
    [Key(0)] public string Product { get; set; } = "";

    [Key(1)] public int Quantity { get; set; }

    [Key(2)] public decimal Price { get; set; }
}

[MessagePackObject]
public sealed class Order
{
    [Key(0)] public Guid Id { get; set; }

    [Key(1)] public string Customer { get; set; } = "";

    [Key(2)] public DateTime Placed { get; set; }

    [Key(3)] public Address? Billing { get; set; }

    [Key(5)] public List<Line> Lines { get; set; } = [];
}

[MessagePackObject(true)]
internal sealed record Person(string Name, int Age)
{
    public string? Mail { get; init; } = "none";

    public required Color Favorite { get; init; }

    public int Visits { get; set; } = 7;

    [Key("nick")] public string? Nickname { get; set; }

    public int Score { get; private set; } = 3;

    [IgnoreMember] public int Ignored { get; set; }

    public Person WithScore(int score)
    {
        Score = score;
        return this;
    }
}

[MessagePackObject]
internal readonly record struct Point([property: Key(0)] int X, [property: Key(1)] int Y);

[MessagePackObject]
internal sealed class Box<T>
{
    [Key(0)] public T? Content { get; init; }
}

[MessagePackObject]
internal class Animal
{
    [Key(0)] public string Name { get; set; } = "";
}

[MessagePackObject]
internal sealed class Dog : Animal
{
    [Key(1)] public bool Barks { get; set; }
}

[Union(0, typeof(Circle))]
[Union(1, typeof(Square))]
internal interface IShape;

[MessagePackObject]
internal sealed record Circle([property: Key(0)] double Radius) : IShape;

[MessagePackObject(true)]
internal sealed record Square(double Side) : IShape;

internal sealed record Unlisted : IShape;

[MessagePackObject]
internal sealed class Node
{
    [Key(0)] public int Value { get; set; }

    [Key(1)] public Node? Next { get; set; }

    [Key(2)] public List<Node>? Children { get; set; }
}

[MessagePackObject]
internal sealed class Odd
{
    public Odd(int second, int first)
    {
        First = first;
        Second = second;
    }

    [Key(0)] public int First { get; }

    [Key(1)] public int Second { get; }

    [Key(2), MessagePackFormatter(typeof(Backwards))] public string? Mirror { get; set; }
}

internal readonly struct Backwards : IMessagePackFormatter<string>
{
    public void Write(ref MessagePackWriter writer, string? value) => writer.Write(value is null ? null : new string([.. value.Reverse()]));

    public string? Read(ref MessagePackReader reader) => reader.ReadString() is { } text ? new string([.. text.Reverse()]) : null;
}

[MessagePackObject(true)]
internal sealed class Everything
{
    public bool Boolean { get; set; }

    public sbyte Int8 { get; set; }

    public byte UInt8 { get; set; }

    public short Int16 { get; set; }

    public ushort UInt16 { get; set; }

    public int Int32 { get; set; }

    public uint UInt32 { get; set; }

    public long Int64 { get; set; }

    public ulong UInt64 { get; set; }

    public float Single { get; set; }

    public double Double { get; set; }

    public Half Half { get; set; }

    public char Char { get; set; }

    public decimal Decimal { get; set; }

    public BigInteger Big { get; set; }

    public Int128 Int128 { get; set; }

    public UInt128 UInt128 { get; set; }

    public Complex Complex { get; set; }

    public Guid Guid { get; set; }

    public Uri? Uri { get; set; }

    public Version? Version { get; set; }

    public DateTime DateTime { get; set; }

    public DateTimeOffset DateTimeOffset { get; set; }

    public TimeSpan TimeSpan { get; set; }

    public DateOnly DateOnly { get; set; }

    public TimeOnly TimeOnly { get; set; }

    public byte[]? Bytes { get; set; }

    public Memory<byte> Memory { get; set; }

    public int? Some { get; set; }

    public int? None { get; set; }

    public Color Color { get; set; }

    public Color? MaybeColor { get; set; }

    public (int Number, string Text) Pair { get; set; }

    public Tuple<int, string>? Old { get; set; }

    public KeyValuePair<string, int> Entry { get; set; }

    public System.Text.Rune Rune { get; set; }
}

[MessagePackObject]
internal sealed class Crowd
{
    [Key(0)] public int[]? Array { get; set; }

    [Key(1)] public IReadOnlyList<string>? ReadOnlyList { get; set; }

    [Key(2)] public IEnumerable<int>? Enumerable { get; set; }

    [Key(3)] public HashSet<long>? Set { get; set; }

    [Key(4)] public Dictionary<string, int>? Map { get; set; }

    [Key(5)] public IReadOnlyDictionary<Guid, Point>? ReadOnlyMap { get; set; }

    [Key(6)] public SortedDictionary<int, string>? Sorted { get; set; }

    [Key(7)] public ImmutableArray<int> Immutable { get; set; }

    [Key(8)] public ImmutableList<string>? ImmutableList { get; set; }

    [Key(9)] public ImmutableDictionary<int, int>? ImmutableMap { get; set; }

    [Key(10)] public FrozenSet<string>? Frozen { get; set; }

    [Key(11)] public ConcurrentDictionary<int, string>? Concurrent { get; set; }

    [Key(12)] public Stack<int>? Stack { get; set; }

    [Key(13)] public Queue<int>? Queue { get; set; }

    [Key(14)] public int[][]? Jagged { get; set; }

    [Key(15)] public ImmutableStack<int>? ImmutableStack { get; set; }

    [Key(16)] public IList<Point>? Points { get; set; }

    [Key(17)] public ISet<DateTime>? Days { get; set; }

    [Key(18)] public FrozenDictionary<string, decimal>? FrozenMap { get; set; }

    [Key(19)] public ConcurrentStack<int>? ConcurrentStack { get; set; }
}

[MessagePackSerializable(typeof(NamedNothing))]
[MessagePackSerializable(typeof(List<Small>))]
[MessagePackSerializable(typeof(List<Order>))]
[MessagePackSerializable(typeof(Order))]
[MessagePackSerializable(typeof(Person))]
[MessagePackSerializable(typeof(Point))]
[MessagePackSerializable(typeof(Box<int>))]
[MessagePackSerializable(typeof(Box<Box<string>>))]
[MessagePackSerializable(typeof(Dog))]
[MessagePackSerializable(typeof(IShape))]
[MessagePackSerializable(typeof(Node))]
[MessagePackSerializable(typeof(Odd))]
[MessagePackSerializable(typeof(Everything))]
[MessagePackSerializable(typeof(Crowd))]
[MessagePackSerializable(typeof(Dictionary<long, string>))]
[MessagePackSerializable(typeof(Dictionary<string, string>))]
[MessagePackSerializable(typeof(List<int>), Name = "Numbers")]
internal sealed partial class Contracts : MessagePackContext;

[MessagePackSerializable(typeof(Everything))]
[MessagePackCompatibility(TextScalars = true)]
internal sealed partial class TextContracts : MessagePackContext;

[MessagePackObject(true)]
public sealed class NamedNothing;
