using System.Buffers.Binary;
using Postrider.Sockets;

namespace Postrider.SystemTests.Sockets;

/// <summary>Writes messages that tell their writer and their place in its sequence: length, writer, sequence, filler.</summary>
internal sealed class MessageWriter(int id)
{
    public const int HeadBytes = 12;

    private int _sequence;

    public int Written => _sequence;

    public static byte Filler(int writer, int sequence) => (byte)((writer * 31) + sequence);

    public void Write(SendLane lane, int length)
    {
        Span<byte> head = lane.Reserve(HeadBytes);
        BinaryPrimitives.WriteInt32LittleEndian(head, length);
        BinaryPrimitives.WriteInt32LittleEndian(head[4..], id);
        BinaryPrimitives.WriteInt32LittleEndian(head[8..], _sequence);
        lane.Advance(HeadBytes);
        // In pieces of any size: Write and Reserve have different paths.
        var filler = Filler(id, _sequence);
        var rest = length - HeadBytes;
        if (rest is > 0 and < 1000)
        {
            lane.Reserve(rest).Fill(filler);
            lane.Advance(rest);
        }
        else if (rest > 0)
        {
            var bytes = new byte[rest];
            bytes.AsSpan().Fill(filler);
            lane.Write(bytes);
        }
        _sequence++;
    }
}
