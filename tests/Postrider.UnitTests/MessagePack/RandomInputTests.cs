using System.Buffers;
using Postrider.MessagePack;

namespace Postrider.UnitTests.MessagePack;

/// <summary>A million inputs that are random, or good ones changed: each is read, or refused by our exception, in bounded memory.</summary>
public sealed class RandomInputTests(ITestOutputHelper output)
{
    [Fact]
    public void Random_and_changed_inputs_neither_crash_nor_allocate_without_bound()
    {
        var samples = Samples();
        var buffer = new byte[600];

        // An input is of a few hundred bytes; objects were read before it is refused.
        new RandomRun(output, 1_000_000) { MostBytesPerInputByte = 200, MostBytesBesides = 8 * 1024 }.Read((random, i) =>
        {
            var (length, type) = Next(random, samples, buffer);
            return (length, () => TryRead(type, buffer, length, inSegments: i % 16 == 0));
        });
    }

    private static (int Length, int Type) Next(Random random, byte[][] samples, byte[] buffer)
    {
        var type = random.Next(samples.Length);
        var length = random.Next(1, 64);
        if (random.Next(4) == 0)
        {
            random.NextBytes(buffer.AsSpan(0, length));
            return (length, type);
        }

        var sample = samples[type];
        sample.CopyTo(buffer, 0);
        length = sample.Length;
        for (var changes = random.Next(1, 4); changes > 0; changes--)
        {
            var at = random.Next(length);
            switch (random.Next(4))
            {
                case 0: buffer[at] = (byte)random.Next(256); break;
                case 1: buffer[at] ^= (byte)(1 << random.Next(8)); break;
                case 2: buffer[at] = (byte)random.Next(0xC0, 0xE0); break;
                default: length = Math.Max(1, random.Next(length)); break;
            }
        }

        return (length, type);
    }

    private static bool TryRead(int type, byte[] buffer, int length, bool inSegments)
    {
        try
        {
            if (inSegments && length > 2)
            {
                var sequence = BadInputTests.Segments(buffer[..length], length / 3, length / 2);
                Read(type, sequence);
            }
            else
            {
                Read(type, new ReadOnlySequence<byte>(buffer, 0, length));
            }

            return true;
        }
        catch (MessagePackException)
        {
            return false;
        }
    }

    private static void Read(int type, ReadOnlySequence<byte> bytes)
    {
        switch (type)
        {
            case 0: MessagePackSerializer.Deserialize(bytes, Contracts.Default.Everything); break;
            case 1: MessagePackSerializer.Deserialize(bytes, Contracts.Default.Crowd); break;
            case 2: MessagePackSerializer.Deserialize(bytes, Contracts.Default.Person); break;
            case 3: MessagePackSerializer.Deserialize(bytes, Contracts.Default.Order); break;
            case 4: MessagePackSerializer.Deserialize(bytes, Contracts.Default.IShape); break;
            default: MessagePackSerializer.Deserialize(bytes, Contracts.Default.Node); break;
        }
    }

    private static byte[][] Samples() =>
    [
        MessagePackSerializer.Serialize(RoundTripTests.Full(), Contracts.Default.Everything),
        MessagePackSerializer.Serialize(
            new Crowd { Array = [1, 2], Map = new() { ["a"] = 1 }, Set = [1, 2], Immutable = [3], Points = [new(1, 2)], Jagged = [[1], [2]], Days = new HashSet<DateTime> { default } },
            Contracts.Default.Crowd),
        MessagePackSerializer.Serialize(new Person("Ada", 36) { Favorite = Color.Red, Nickname = "ä" }, Contracts.Default.Person),
        MessagePackSerializer.Serialize(
            new Order { Customer = "Ada", Billing = new() { Street = "A", City = "B" }, Lines = [new() { Product = "Tea", Price = 1 }, new() { Quantity = 500 }] },
            Contracts.Default.Order),
        MessagePackSerializer.Serialize<IShape>(new Square(2), Contracts.Default.IShape),
        MessagePackSerializer.Serialize(new Node { Value = 1, Next = new() { Value = 2 }, Children = [new() { Value = 300 }] }, Contracts.Default.Node),
    ];
}
