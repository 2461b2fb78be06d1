using System.Text;
using Postrider.Broker.JetStream.Consumers.Acknowledging;

namespace Postrider.UnitTests.Broker.JetStream.Consumers.Acknowledging;

public sealed class AckReplyWriterTests(ITestOutputHelper output)
{
    private const long Time = 1_700_000_000_123_456_789;

    public static TheoryData<string, Numbers, Numbers> Pairs => new()
    {
        { "the same", new(1, 5, 5, Time, 3), new(1, 5, 5, Time, 3) },
        { "the next one", new(1, 5, 5, Time, 3), new(1, 6, 6, Time + 1, 2) },
        { "one digit more", new(1, 99, 9, Time, 0), new(1, 100, 10, Time + 1, 1) },
        { "one digit less", new(1, 7, 7, Time, 100), new(1, 8, 8, Time + 1, 99) },
        { "the last pending one", new(1, 7, 7, Time, 1), new(1, 8, 8, Time + 1, 0) },
        { "carried over several digits", new(1, 1_999_999, 8_999, Time, 3_000), new(1, 2_000_000, 9_000, Time, 2_999) },
        { "far ahead with as many digits", new(1, 1_000, 1_000, Time, 9_999), new(1, 9_000, 1_001, Time, 1_000) },
        { "far ahead with more digits", new(1, 1_000, 1_000, Time, 9_999), new(1, 90_000, 1_001, Time, 99_999) },
        { "far back", new(1, 90_000, 1_000, Time, 99_999), new(1, 2, 1_001, Time, 7) },
        { "the next second", new(1, 5, 5, Time, 3), new(1, 6, 6, Time + 1_000_000_000, 2) },
        { "nanoseconds that begin with zeros", new(1, 5, 5, Time, 3), new(1, 6, 6, 1_700_000_000_000_000_007, 2) },
        { "a clock that begins at 0", new(1, 5, 5, 0, 3), new(1, 6, 6, 7, 2) },
        { "a clock in its first second", new(1, 5, 5, 123_456_789, 3), new(1, 6, 6, 5, 2) },
        { "a redelivery", new(1, 5, 5, Time, 3), new(2, 5, 6, Time, 3) },
        { "a first delivery after a tenth one", new(10, 5, 5, Time, 3), new(1, 6, 6, Time, 2) },
        { "after the largest number", new(1, 5, ulong.MaxValue, Time, 3), new(1, 6, 0, Time, 2) },
        { "the largest numbers", new(1, ulong.MaxValue - 1, ulong.MaxValue, long.MaxValue, 0), new(1, ulong.MaxValue, 0, long.MaxValue - 1, ulong.MaxValue) },
    };

    [Theory]
    [MemberData(nameof(Pairs))]
    public void Subject_after_another_one_has_its_own_numbers(string what, Numbers first, Numbers second)
    {
        _ = what;
        var writer = new AckReplyWriter("S", "C");

        Assert.Equal(first.Subject, Write(writer, first));
        Assert.Equal(second.Subject, Write(writer, second));
        Assert.Equal(first.Subject, Write(writer, first));
    }

    [Fact]
    public void Prefix_is_that_of_stream_and_consumer()
        => Assert.Equal("$JS.ACK.ORDERS.w\u00f6rk.", Encoding.UTF8.GetString(new AckReplyWriter("ORDERS", "w\u00f6rk").Prefix));

    [Fact]
    public void Any_sequence_of_numbers_is_written_as_it_is()
    {
        var seed = Seed.Next();
        output.WriteLine($"seed {seed}");
        var random = new Random(seed);
        var writer = new AckReplyWriter("S", "C");
        var numbers = new Numbers(1, 1, 1, Time, 1_000);
        for (var i = 0; i < 100_000; i++)
        {
            Assert.Equal(numbers.Subject, Write(writer, numbers));
            numbers = new Numbers(
                random.Next(20) == 0 ? (ulong)random.Next(1, 12) : numbers.Deliveries,
                Near(random, numbers.StreamSequence),
                Near(random, numbers.ConsumerSequence),
                random.Next(50) == 0 ? random.NextInt64() : Math.Abs(numbers.Timestamp + random.Next(-100_000, 1_000_000)),
                Near(random, numbers.Pending));
        }
    }

    private static string Write(AckReplyWriter writer, Numbers numbers)
        => Encoding.UTF8.GetString(
            writer.Write(numbers.Deliveries, numbers.StreamSequence, numbers.ConsumerSequence, numbers.Timestamp, numbers.Pending));

    // Mostly a neighbour, and sometimes one with any number of digits.
    private static ulong Near(Random random, ulong value) => random.Next(12) switch
    {
        0 => (ulong)random.NextInt64() >> random.Next(64),
        1 => (ulong)Math.Pow(10, random.Next(20)) - (ulong)random.Next(2),
        2 => value + (ulong)random.Next(100),
        < 8 => value + 1,
        _ => value == 0 ? 0 : value - 1,
    };

    /// <summary>The numbers of one delivery.</summary>
    public sealed record Numbers(ulong Deliveries, ulong StreamSequence, ulong ConsumerSequence, long Timestamp, ulong Pending)
    {
        public string Subject => FormattableString.Invariant($"$JS.ACK.S.C.{Deliveries}.{StreamSequence}.{ConsumerSequence}.{Timestamp}.{Pending}");
    }
}
