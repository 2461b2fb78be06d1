using System.Text;
using System.Text.Json.Nodes;

namespace Postrider.Load.Traffic;

/// <summary>Checks acknowledgements of stored messages.</summary>
/// <remarks>The first one is read as JSON; the others must repeat its bytes up to the sequence.</remarks>
internal sealed class AckCheck(string stream)
{
    private byte[] _beginning = [];

    /// <summary>The sequence that the acknowledgement names.</summary>
    /// <exception cref="LoadException">An error, a duplicate or anything else.</exception>
    public long Read(ReadOnlySpan<byte> payload)
    {
        if (_beginning.Length == 0)
            Learn(payload);
        if (!payload.StartsWith(_beginning))
            throw new LoadException($"Not the acknowledgement of a stored message: '{Encoding.UTF8.GetString(payload)}'.");

        var i = _beginning.Length;
        long sequence = 0;
        for (; i < payload.Length && payload[i] is >= (byte)'0' and <= (byte)'9'; i++)
            sequence = sequence * 10 + (payload[i] - '0');
        return i == payload.Length - 1 && payload[i] == (byte)'}'
            ? sequence : throw new LoadException($"Not the acknowledgement of a new message: '{Encoding.UTF8.GetString(payload)}'.");
    }

    private void Learn(ReadOnlySpan<byte> payload)
    {
        var text = Encoding.UTF8.GetString(payload);
        var fields = payload.IsEmpty ? null : JsonNode.Parse(payload);
        if (fields?["error"] is not null || (string?)fields?["stream"] != stream || fields["seq"] is not { } sequence)
            throw new LoadException($"A publish was answered with '{text}'.");

        _beginning = Encoding.UTF8.GetBytes(text[..text.LastIndexOf(sequence.ToJsonString(), StringComparison.Ordinal)]);
    }
}
