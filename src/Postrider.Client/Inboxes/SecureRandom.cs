using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Postrider.Client.Inboxes;

/// <summary>Unpredictable random numbers: a guessed inbox could be subscribed to.</summary>
internal sealed class SecureRandom : Random
{
    public override int Next(int maxValue) => RandomNumberGenerator.GetInt32(maxValue);

    public override int Next(int minValue, int maxValue) => RandomNumberGenerator.GetInt32(minValue, maxValue);

    public override long NextInt64(long maxValue)
    {
        Span<byte> bytes = stackalloc byte[8];
        RandomNumberGenerator.Fill(bytes);
        return (long)(BinaryPrimitives.ReadUInt64LittleEndian(bytes) % (ulong)maxValue);
    }

    public override double NextDouble() => RandomNumberGenerator.GetInt32(int.MaxValue) / (double)int.MaxValue;
}
