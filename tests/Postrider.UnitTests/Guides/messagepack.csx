// What docs/guide/messagepack.md writes and reads.
using System.Buffers;

internal static class Surroundings
{
    public static readonly ArrayBufferWriter<byte> output = new();
    public static readonly Order order = null!;
    public static readonly byte[] bytes = [];
}
