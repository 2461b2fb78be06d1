using System.Buffers;
using System.Text;
using Postrider.Wire.Frames;

namespace Postrider.UnitTests.Wire.Frames;

public sealed class FrameRepeatTests
{
    // Lines that differ from one another by little; each brings its own number of bytes.
    private static readonly string[] Lines =
    [
        "PUB a.b 5\r\n", "PUB a.c 5\r\n", "PUB a.b 6\r\n", "PUB a.b r 5\r\n", "PUB a.b 05\r\n", "pub a.b 5\r\n", "PUB a.b 5\n",
        "HPUB a.b 12 17\r\n", "HPUB a.b r 12 17\r\n", $"PUB {new string('s', 50)} 5\r\n", $"PUB {new string('s', 80)} 5\r\n", "SUB a.b 1\r\n", "PING\r\n",
    ];

    [Fact]
    public void Frames_with_the_same_line_are_repeats_and_others_are_not()
    {
        var bytes = FrameReading.Bytes("PUB a 1\r\nx\r\nPUB a 1\r\ny\r\nPUB b 1\r\nz\r\nPUB b 1\r\nz\r\nPING\r\nPUB b 1\r\nz\r\n" + new string('P', 64));
        var parser = new FrameParser(FrameKind.FromClient);
        ReadOnlySpan<byte> input = bytes;
        var seen = new List<string>();
        while (parser.TryRead(ref input, out var frame) == OperationStatus.Done)
            seen.Add($"{frame.Kind} {Encoding.Latin1.GetString(frame.Subject)} {Encoding.Latin1.GetString(frame.Payload)} {frame.IsRepeat}");

        Assert.Equal(
            ["Publish a x False", "Publish a y True", "Publish b z False", "Publish b z True", "Ping   False", "Publish b z False"], seen);
    }

    [Fact]
    public void A_repeat_whose_payload_does_not_end_is_an_error()
    {
        var parser = new FrameParser(FrameKind.FromClient);
        ReadOnlySpan<byte> input = FrameReading.Bytes("PUB a 1\r\nx\r\nPUB a 1\r\nxyz\r\n" + new string('P', 64));
        Assert.Equal(OperationStatus.Done, parser.TryRead(ref input, out _));

        Assert.Equal(OperationStatus.InvalidData, parser.TryRead(ref input, out _));
        Assert.Equal(FrameError.UnknownOperation, parser.Error);
    }

    [Fact]
    public void A_repeat_above_a_lowered_limit_is_an_error()
    {
        var parser = new FrameParser(FrameKind.FromClient);
        ReadOnlySpan<byte> input = FrameReading.Bytes("PUB a 5\r\nhello\r\nPUB a 5\r\nhello\r\n" + new string('P', 64));
        Assert.Equal(OperationStatus.Done, parser.TryRead(ref input, out _));

        parser.MaxPayloadBytes = 4;

        Assert.Equal(OperationStatus.InvalidData, parser.TryRead(ref input, out _));
        Assert.Equal(FrameError.PayloadTooLarge, parser.Error);
    }

    [Fact]
    public void Random_runs_of_frames_read_as_each_alone()
    {
        var seed = Seed.Next();
        TestContext.Current.SendDiagnosticMessage($"seed {seed}");
        var random = new Random(seed);
        var repeats = 0;
        for (var run = 0; run < 2_000; run++)
        {
            var frames = new List<string>();
            var line = Lines[0];
            for (var i = 0; i < 40; i++)
            {
                if (random.Next(3) == 0) line = Lines[random.Next(Lines.Length)];
                frames.Add(line + PayloadOf(line, random));
            }
            var bytes = FrameReading.Bytes(string.Concat(frames));

            var expected = frames.SelectMany(static frame => FrameReading.ReadAll(FrameKind.FromClient, FrameReading.Bytes(frame))).ToArray();
            var whole = FrameReading.ReadAll(FrameKind.FromClient, bytes);
            if (!expected.SequenceEqual(whole)) Assert.Equal((seed, string.Join('\n', expected)), (seed, string.Join('\n', whole)));
            repeats += CountRepeats(bytes);
        }
        Assert.True(repeats > 10_000, $"{repeats} repeats");
    }

    private static int CountRepeats(byte[] bytes)
    {
        var parser = new FrameParser(FrameKind.FromClient);
        ReadOnlySpan<byte> input = bytes;
        var repeats = 0;
        while (parser.TryRead(ref input, out var frame) == OperationStatus.Done) repeats += frame.IsRepeat ? 1 : 0;
        return repeats;
    }

    private static string PayloadOf(string line, Random random)
    {
        if (!line.Contains("pub ", StringComparison.OrdinalIgnoreCase)) return "";
        var letters = new string([.. Enumerable.Range(0, 6).Select(_ => (char)random.Next(0, 256))]);
        if (line.StartsWith('H')) return $"NATS/1.0\r\n\r\n{letters[..5]}\r\n";
        return line.Contains(" 6\r", StringComparison.Ordinal) ? $"{letters}\r\n" : $"{letters[..5]}\r\n";
    }
}
