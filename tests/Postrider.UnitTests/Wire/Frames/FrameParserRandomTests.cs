using System.Buffers;
using System.Text;
using Postrider.Wire.Frames;

namespace Postrider.UnitTests.Wire.Frames;

public sealed class FrameParserRandomTests
{
    private static readonly string[] Starts =
        ["PUB ", "HPUB ", "SUB ", "UNSUB ", "CONNECT {}", "PING", "PONG", "MSG ", "HMSG ", "INFO {}", "+OK", "-ERR ", "pub ", "\r\n", "PUB a 1\r\n"];

    private static readonly char[] Separators = [' ', ' ', ' ', ' ', ' ', ' ', '\t', '\r'];

    [Fact]
    public void Short_path_and_general_path_read_the_same()
    {
        var seed = Seed.Next();
        TestContext.Current.SendDiagnosticMessage($"seed {seed}");
        var random = new Random(seed);
        var behind = Enumerable.Repeat((byte)'P', 64).ToArray();
        var read = 0;
        for (var i = 0; i < 200_000; i++)
        {
            var fromClient = random.Next(2) == 0;
            var accepted = fromClient ? FrameKind.FromClient : FrameKind.FromServer;
            byte[] upper = [.. FrameReading.Bytes(MakeFrame(random, fromClient)), .. behind];
            // A name in lower case never takes the short path.
            var lower = upper.ToArray();
            lower[0] |= 0x20;

            var (fast, general) = (ReadOne(accepted, upper), ReadOne(accepted, lower));

            // The first letter apart, all is the same.
            if (fast != general) Assert.Equal((seed, Encoding.Latin1.GetString(upper), general), (seed, "", fast));
            if (fast.StartsWith("Done", StringComparison.Ordinal)) read++;
        }
        Assert.InRange(read, 50_000, 200_000);
    }

    [Fact]
    public void Million_random_inputs_end_in_progress_or_an_error()
    {
        const int Inputs = 1_000_000;
        var seed = Seed.Next();
        TestContext.Current.SendDiagnosticMessage($"seed {seed}");
        var random = new Random(seed);
        var input = new byte[512];
        var (frames, errors, waiting) = (0, 0, 0);
        var before = GC.GetAllocatedBytesForCurrentThread();
        var made = 0L;
        for (var i = 0; i < Inputs; i++)
        {
            var makingFrom = GC.GetAllocatedBytesForCurrentThread();
            var length = Make(random, input);
            made += GC.GetAllocatedBytesForCurrentThread() - makingFrom;
            var parser = new FrameParser(random.Next(2) == 0 ? FrameKind.FromClient : FrameKind.FromServer) { MaxLineBytes = 256 };
            // Offered in growing pieces, as an engine does; what was consumed does not come again.
            var (start, end) = (0, random.Next(length + 1));
            while (true)
            {
                ReadOnlySpan<byte> offered = input.AsSpan(start, end - start);
                var status = Drain(ref parser, ref offered, ref frames, seed, i);
                start = end - offered.Length;
                if (status == OperationStatus.InvalidData) errors++;
                if (status == OperationStatus.InvalidData || end == length) break;
                end = Math.Min(length, end + 1 + random.Next(length));
            }
            if (parser.NeededBytes > 0) waiting++;
            if (parser.NeededBytes > FrameParser.DefaultMaxPayloadBytes + 1024) Assert.Fail($"Seed {seed}, input {i}: {parser.NeededBytes} bytes asked for.");
        }
        var allocated = GC.GetAllocatedBytesForCurrentThread() - before - made;

        // Nothing an input: the smallest object for each would be 24 times as much. What the runtime does once goes by.
        Assert.InRange(allocated, 0, Inputs);
        Assert.True(frames > Inputs / 20 && errors > Inputs / 20 && waiting > 0, $"{frames} frames, {errors} errors, {waiting} waiting");
    }

    [Fact]
    public void Random_input_reads_the_same_however_it_is_cut()
    {
        var seed = Seed.Next();
        TestContext.Current.SendDiagnosticMessage($"seed {seed}");
        var random = new Random(seed);
        var buffer = new byte[512];
        for (var i = 0; i < 20_000; i++)
        {
            var input = buffer.AsSpan(0, Make(random, buffer)).ToArray();
            var accepted = random.Next(2) == 0 ? FrameKind.FromClient : FrameKind.FromServer;
            var (whole, cut) = (new FrameReading(accepted, maxLineBytes: 128), new FrameReading(accepted, maxLineBytes: 128));

            whole.Read(input);
            for (var at = 0; at < input.Length;)
            {
                var piece = Math.Min(input.Length - at, 1 + random.Next(90));
                cut.Read(input.AsSpan(at, piece));
                at += piece;
            }

            if (!whole.Frames.SequenceEqual(cut.Frames))
                Assert.Equal((seed, Encoding.Latin1.GetString(input), string.Join('\n', whole.Frames)), (seed, "", string.Join('\n', cut.Frames)));
        }
    }

    private static OperationStatus Drain(ref FrameParser parser, ref ReadOnlySpan<byte> offered, ref int frames, int seed, int i)
    {
        while (true)
        {
            var left = offered.Length;
            var status = parser.TryRead(ref offered, out var frame);
            if (status != OperationStatus.Done) return status;
            frames++;
            Touch(frame);
            if (offered.Length >= left) Assert.Fail($"Seed {seed}, input {i}: a frame without progress.");
        }
    }

    // Every slice must lie within the frame: a wrong one throws.
    private static void Touch(in Frame frame)
        => _ = frame.Subject.Length + frame.Sid.Length + frame.ReplyTo.Length + frame.QueueGroup.Length + frame.Text.Length +
            frame.Headers.Length + frame.Payload.Length + frame.HeadersAndPayload.Length + frame.Tail.Length + frame.Bytes.Length;

    private static string ReadOne(FrameKind accepted, byte[] bytes)
    {
        var parser = new FrameParser(accepted);
        ReadOnlySpan<byte> input = bytes;
        var status = parser.TryRead(ref input, out var frame);
        if (status != OperationStatus.Done) return $"{status} {parser.Error} {parser.NeededBytes}";
        var text = FrameReading.Describe(frame);
        // Without the name's first letter, which the two inputs do not share.
        return $"Done {input.Length} {text.Replace($"bytes={(char)bytes[0]}", "bytes=", StringComparison.Ordinal)}";
    }

    private static string MakeFrame(Random random, bool fromClient)
    {
        var headed = random.Next(3) == 0;
        var payload = new string('x', random.Next(4) == 0 ? random.Next(200) : random.Next(12));
        var headers = headed ? "NATS/1.0\r\n\r\n" : "";
        var text = new StringBuilder(fromClient ? headed ? "HPUB" : "PUB" : headed ? "HMSG" : "MSG");
        Argument(text, random, Token(random));
        if (!fromClient) Argument(text, random, Token(random));
        if (random.Next(3) == 0) Argument(text, random, Token(random));
        var wrong = random.Next(20);
        if (headed) Argument(text, random, wrong == 1 ? "x" : $"{headers.Length}");
        Argument(text, random, wrong switch { 2 => "-1", 3 => "1234567890", 4 => "", 5 => "0000" + (headers.Length + payload.Length), _ => $"{headers.Length + payload.Length}" });
        if (random.Next(12) == 0) text.Append(Separators[random.Next(Separators.Length)]);
        text.Append(random.Next(12) == 0 ? "\n" : "\r\n").Append(headers).Append(payload).Append(random.Next(20) == 0 ? "\r" : "\r\n");
        return text.ToString();
    }

    private static void Argument(StringBuilder text, Random random, string argument)
    {
        var odd = random.Next(12) == 0;
        text.Append(odd ? Separators[random.Next(Separators.Length)] : ' ');
        if (odd && random.Next(2) == 0) text.Append(' ');
        text.Append(argument);
    }

    private static string Token(Random random) => new((char)('a' + random.Next(26)), 1 + random.Next(random.Next(4) == 0 ? 30 : 6));

    // A third noise, a third good frames with a few bytes changed, a third pieces of frames.
    private static int Make(Random random, byte[] target)
    {
        var length = 0;
        switch (random.Next(3))
        {
            case 0:
                length = random.Next(100);
                random.NextBytes(target.AsSpan(0, length));
                if (length > 8 && random.Next(2) == 0) length = Math.Max(length, Put(Starts[random.Next(Starts.Length)], target, 0));
                return length;
            case 1:
                var fromClient = random.Next(2) == 0;
                for (var i = random.Next(1, 4); i > 0 && length < 200; i--) length = Put(MakeFrame(random, fromClient), target, length);
                for (var i = random.Next(4); i > 0; i--) target[random.Next(length)] = (byte)random.Next(256);
                return length;
            default:
                for (var i = random.Next(1, 6); i > 0 && length < 200; i--)
                {
                    length = Put(Starts[random.Next(Starts.Length)], target, length);
                    if (random.Next(2) == 0) length = Put($" {random.Next(2000)}", target, length);
                    if (random.Next(2) == 0) length = Put("\r\n", target, length);
                }
                return length;
        }
    }

    private static int Put(string text, byte[] target, int at) => at + Encoding.Latin1.GetBytes(text, 0, Math.Min(text.Length, target.Length - at), target, at);
}
