using System.Buffers;
using System.Text;
using Postrider.Wire.Frames;

namespace Postrider.UnitTests.Wire.Frames;

/// <summary>Reads frames as an engine does: pieces arrive, what was not consumed comes again with more behind it.</summary>
internal sealed class FrameReading(FrameKind accepted, int maxLineBytes = FrameParser.DefaultMaxLineBytes, int maxPayloadBytes = FrameParser.DefaultMaxPayloadBytes)
{
    private FrameParser _parser = new(accepted) { MaxLineBytes = maxLineBytes, MaxPayloadBytes = maxPayloadBytes };
    private byte[] _kept = [];

    /// <summary>The frames so far, each as one line of text, and the error that ended them.</summary>
    public List<string> Frames { get; } = [];

    /// <summary>The error, if the bytes were wrong.</summary>
    public FrameError Error { get; private set; }

    /// <summary>The bytes that wait for more.</summary>
    public int KeptBytes => _kept.Length;

    /// <summary>What the parser said of the frame in front.</summary>
    public int NeededBytes => _parser.NeededBytes;

    /// <summary>Reads bytes whole.</summary>
    public static List<string> ReadAll(FrameKind accepted, ReadOnlySpan<byte> bytes)
    {
        var reading = new FrameReading(accepted);
        reading.Read(bytes);
        return reading.Frames;
    }

    public static byte[] Bytes(string latin) => Encoding.Latin1.GetBytes(latin);

    /// <summary>Takes a piece.</summary>
    /// <returns>False after an error.</returns>
    public bool Read(ReadOnlySpan<byte> piece)
    {
        if (Error != FrameError.None) return false;
        byte[] whole = [.. _kept, .. piece];
        ReadOnlySpan<byte> input = whole;
        while (true)
        {
            var before = input.Length;
            var status = _parser.TryRead(ref input, out var frame);
            if (status == OperationStatus.Done)
            {
                if (input.Length >= before) throw new InvalidOperationException("A frame without progress.");
                Frames.Add(Describe(frame));
                continue;
            }
            if (status == OperationStatus.InvalidData)
            {
                Error = _parser.Error;
                Frames.Add($"error {Error}");
                return false;
            }
            _kept = input.ToArray();
            return true;
        }
    }

    public static string Describe(in Frame frame)
    {
        var kind = frame.Kind;
        var text = kind switch
        {
            FrameKind.Info or FrameKind.Connect or FrameKind.Error => $" text={Latin(frame.Text)}",
            FrameKind.Subscribe => $" subject={Latin(frame.Subject)} queue={Latin(frame.QueueGroup)} sid={Latin(frame.Sid)}",
            FrameKind.Unsubscribe => $" sid={Latin(frame.Sid)} max={frame.MaxMessages}",
            FrameKind.Publish or FrameKind.PublishWithHeaders =>
                $" subject={Latin(frame.Subject)} reply={Latin(frame.ReplyTo)}{Content(frame)}",
            FrameKind.Message or FrameKind.MessageWithHeaders =>
                $" subject={Latin(frame.Subject)} sid={Latin(frame.Sid)} reply={Latin(frame.ReplyTo)}{Content(frame)}",
            _ => "",
        };
        return kind + text;
    }

    private static string Content(in Frame frame)
        => $" headers={Latin(frame.Headers)} payload={Latin(frame.Payload)} all={frame.HeadersAndPayload.Length}" +
            $" sizes={frame.HeaderBytes}/{frame.TotalBytes} bytes={Latin(frame.Bytes)}{(frame.IsCanonical ? $" tail={Latin(frame.Tail)}" : "")}";

    private static string Latin(ReadOnlySpan<byte> bytes) => Encoding.Latin1.GetString(bytes).Replace("\r", "\\r").Replace("\n", "\\n").Replace("\t", "\\t");
}
