using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Numerics;
using System.Text.Json;
using Postrider.MessagePack;

namespace Postrider.UnitTests.MessagePack;

public sealed class RoundTripTests
{
    [Fact]
    public void Object_with_index_keys_is_an_array_with_nil_in_gaps()
    {
        var order = new Order
        {
            Id = Guid.Parse("00112233-4455-6677-8899-aabbccddeeff"),
            Customer = "Ada",
            Placed = DateTime.UnixEpoch,
            Lines = [new Line { Product = "Tea", Quantity = 3, Price = 1.5m }],
        };

        var bytes = MessagePackSerializer.Serialize(order, Contracts.Default.Order);

        Assert.Equal(
            "96" + "c410" + "33221100554477668899aabbccddeeff" + "a3416461" + "d6ff00000000" + "c0" + "c0"
            + "91" + "93" + "a3546561" + "03" + "c410" + "00000100" + "00000000" + "0f000000" + "00000000",
            Convert.ToHexStringLower(bytes));
        Assert.Equal(JsonSerializer.Serialize(order), JsonSerializer.Serialize(MessagePackSerializer.Deserialize(bytes, Contracts.Default.Order)));
    }

    [Fact]
    public void Object_with_names_is_a_map()
    {
        var bytes = MessagePackSerializer.Serialize<IShape>(new Square(2), Contracts.Default.IShape);

        Assert.Equal("92" + "01" + "81" + "a453696465" + "cb4000000000000000", Convert.ToHexStringLower(bytes));
        Assert.Equal(new Square(2), MessagePackSerializer.Deserialize(bytes, Contracts.Default.IShape));
    }

    [Fact]
    public void Object_with_names_is_a_map_without_members_too()
    {
        var bytes = MessagePackSerializer.Serialize(new NamedNothing(), Contracts.Default.Get<NamedNothing>());

        Assert.Equal("80", Convert.ToHexStringLower(bytes));
        Assert.NotNull(MessagePackSerializer.Deserialize(bytes, Contracts.Default.Get<NamedNothing>()));
    }

    [Fact]
    public void Record_with_init_only_required_and_private_members_comes_back()
    {
        var person = new Person("Ada", 36) { Mail = "ada@x", Favorite = Color.Green, Visits = 2, Nickname = "A" }.WithScore(99);

        var read = MessagePackSerializer.Deserialize(MessagePackSerializer.Serialize(person, Contracts.Default.Person), Contracts.Default.Person);

        Assert.Equal(person, read);
    }

    [Fact]
    public void Member_that_is_missing_keeps_what_the_type_gives_it()
    {
        var bytes = SpecificationTests.Written((ref MessagePackWriter writer) =>
        {
            writer.WriteMapHeader(2);
            writer.Write("Name");
            writer.Write("Ada");
            writer.Write("Later");
            writer.WriteArrayHeader(1);
            writer.Write("unknown");
        });

        var person = MessagePackSerializer.Deserialize(bytes, Contracts.Default.Person)!;

        Assert.Equal(("Ada", 0, "none", 7, 3), (person.Name, person.Age, person.Mail, person.Visits, person.Score));
    }

    [Theory]
    [InlineData("90", 0, 0)]
    [InlineData("9105", 5, 0)]
    [InlineData("93050607", 5, 6)]
    [InlineData("9405068201020304a161", 5, 6)]
    public void Older_and_newer_arrays_are_read(string hex, int x, int y)
        => Assert.Equal(new Point(x, y), MessagePackSerializer.Deserialize(Convert.FromHexString(hex), Contracts.Default.Point));

    [Fact]
    public void Constructor_parameters_are_found_by_name_and_formatters_by_attribute()
    {
        var bytes = MessagePackSerializer.Serialize(new Odd(second: 2, first: 1) { Mirror = "abc" }, Contracts.Default.Odd);

        Assert.Equal("930102a3636261", Convert.ToHexStringLower(bytes));
        var read = MessagePackSerializer.Deserialize(bytes, Contracts.Default.Odd)!;
        Assert.Equal((1, 2, "abc"), (read.First, read.Second, read.Mirror));
    }

    [Fact]
    public void Members_of_the_base_come_first()
        => Assert.Equal("92a3526578c3", Convert.ToHexStringLower(MessagePackSerializer.Serialize(new Dog { Name = "Rex", Barks = true }, Contracts.Default.Dog)));

    [Fact]
    public void Closed_generic_types_have_formatters_of_their_own()
    {
        var bytes = MessagePackSerializer.Serialize(new Box<Box<string>> { Content = new() { Content = "in" } }, Contracts.Default.BoxOfBoxOfString);

        Assert.Equal("9191a2696e", Convert.ToHexStringLower(bytes));
        Assert.Equal("in", MessagePackSerializer.Deserialize(bytes, Contracts.Default.BoxOfBoxOfString)!.Content!.Content);
        Assert.Equal(5, MessagePackSerializer.Deserialize([0x91, 5], Contracts.Default.BoxOfInt32)!.Content);
    }

    [Fact]
    public void Value_outside_its_union_is_refused()
    {
        var written = Assert.Throws<MessagePackException>(() => MessagePackSerializer.Serialize(new Unlisted(), Contracts.Default.IShape));
        var read = Assert.Throws<MessagePackException>(() => MessagePackSerializer.Deserialize([0x92, 7, 0x90], Contracts.Default.IShape));

        Assert.Equal((MessagePackError.UnknownUnionMember, MessagePackError.UnknownUnionMember), (written.Error, read.Error));
        Assert.Contains("Unlisted", written.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Type_that_refers_to_itself_comes_back()
    {
        var node = new Node { Value = 1, Next = new() { Value = 2 }, Children = [new() { Value = 3, Children = [] }] };

        var read = MessagePackSerializer.Deserialize(MessagePackSerializer.Serialize(node, Contracts.Default.Node), Contracts.Default.Node);

        Assert.Equal(JsonSerializer.Serialize(node), JsonSerializer.Serialize(read));
    }

    [Fact]
    public void Cycle_of_objects_ends_with_an_error()
    {
        var node = new Node();
        node.Next = node;

        var error = Assert.Throws<MessagePackException>(() => MessagePackSerializer.Serialize(node, Contracts.Default.Node));

        Assert.Equal(MessagePackError.TooDeep, error.Error);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Every_scalar_comes_back(bool asText)
    {
        var value = Full();
        var formatter = asText ? TextContracts.Default.Everything : Contracts.Default.Everything;

        var bytes = MessagePackSerializer.Serialize(value, formatter);

        foreach (var reading in (IMessagePackFormatter<Everything>[])[Contracts.Default.Everything, TextContracts.Default.Everything])
        {
            var read = MessagePackSerializer.Deserialize(bytes, reading)!;
            foreach (var property in typeof(Everything).GetProperties())
            {
                if (property.PropertyType == typeof(Memory<byte>))
                    Assert.Equal(value.Memory.ToArray(), read.Memory.ToArray());
                else
                    Assert.Equal(property.GetValue(value), property.GetValue(read));
            }
        }
    }

    [Fact]
    public void Every_collection_comes_back()
    {
        var day = new DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc);
        var value = new Crowd
        {
            Array = [1, -2, 300_000],
            ReadOnlyList = ["a", "b"],
            Enumerable = [5],
            Set = [1, 1L << 40],
            Map = new() { ["x"] = 1, ["y"] = 2 },
            ReadOnlyMap = new Dictionary<Guid, Point> { [Guid.Empty] = new(1, 2), [Guid.AllBitsSet] = new(3, 4) },
            Sorted = new() { [2] = "b", [1] = "a" },
            Immutable = [1, 2],
            ImmutableList = ["q"],
            ImmutableMap = ImmutableDictionary<int, int>.Empty.Add(1, 2),
            Frozen = new[] { "f" }.ToFrozenSet(),
            Concurrent = new() { [1] = "one" },
            Stack = new([1, 2, 3]),
            Queue = new([1, 2, 3]),
            Jagged = [[1], [], [2, 3]],
            ImmutableStack = [1, 2, 3],
            Points = [new(7, 8)],
            Days = new HashSet<DateTime> { day },
            FrozenMap = new Dictionary<string, decimal> { ["d"] = 1.25m }.ToFrozenDictionary(),
            ConcurrentStack = new([1, 2]),
        };

        var read = MessagePackSerializer.Deserialize(MessagePackSerializer.Serialize(value, Contracts.Default.Crowd), Contracts.Default.Crowd)!;

        foreach (var property in typeof(Crowd).GetProperties())
            Assert.Equal(property.GetValue(value), property.GetValue(read));
    }

    [Fact]
    public void Null_everywhere_comes_back()
    {
        var read = MessagePackSerializer.Deserialize(MessagePackSerializer.Serialize(new Crowd(), Contracts.Default.Crowd), Contracts.Default.Crowd)!;

        Assert.All(typeof(Crowd).GetProperties().Where(p => p.Name != "Immutable"), p => Assert.Null(p.GetValue(read)));
        Assert.True(read.Immutable.IsDefault);
        Assert.Null(MessagePackSerializer.Deserialize([0xC0], Contracts.Default.Crowd));
    }

    [Fact]
    public void Context_finds_types_that_were_named_or_reached()
    {
        Assert.NotNull(Contracts.Default.Find<Line>());
        Assert.Null(Contracts.Default.Find<Version>());
        var error = Assert.Throws<MessagePackException>(() => Contracts.Default.Get<Version>());
        Assert.Equal(MessagePackError.NoFormatter, error.Error);
    }

    internal static Everything Full() => new()
    {
        Boolean = true,
        Int8 = -8,
        UInt8 = 200,
        Int16 = -1600,
        UInt16 = 60000,
        Int32 = -100_000,
        UInt32 = 4_000_000_000,
        Int64 = long.MinValue,
        UInt64 = ulong.MaxValue,
        Single = 1.5f,
        Double = Math.PI,
        Half = (Half)2.5,
        Char = 'ß',
        Decimal = -79228162514264.337593543950335m,
        Big = BigInteger.Parse("-123456789012345678901234567890"),
        Int128 = Int128.MinValue,
        UInt128 = UInt128.MaxValue,
        Complex = new(1, -2),
        Guid = Guid.Parse("6f9619ff-8b86-d011-b42d-00cf4fc964ff"),
        Uri = new("https://example.org/a?b=ü"),
        Version = new(1, 2, 3, 4),
        DateTime = new DateTime(2026, 11, 21, 12, 30, 15, DateTimeKind.Utc).AddTicks(1_234_567),
        DateTimeOffset = new(2026, 11, 21, 12, 30, 15, TimeSpan.FromMinutes(-210)),
        TimeSpan = TimeSpan.FromTicks(-5),
        DateOnly = new(2026, 11, 21),
        TimeOnly = new(23, 59, 58, 999),
        Bytes = [1, 2, 3],
        Memory = new byte[] { 4, 5 },
        Some = 0,
        None = null,
        Color = Color.Green,
        MaybeColor = Color.Red,
        Pair = (1, "one"),
        Old = new(2, "two"),
        Entry = new("three", 3),
        Rune = new('r'),
    };
}
