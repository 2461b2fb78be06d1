using System.Runtime.CompilerServices;
using System.Security.Cryptography;

namespace Postrider.MessagePack.Formatters;

/// <summary>Compares the keys of dictionaries and sets that are read, so that no sender can choose keys that collide.</summary>
/// <remarks>
/// Numbers, Guids and times have predictable hash codes. Here the words of such a key are multiplied with secret
/// random numbers and added: two different keys then share a hash code once in 2^31, even if an attacker chose them. Strings do not need this: the
/// platform's own dictionary changes to a secret hash when they collide. Types of the application keep their own hash code.
/// Source: Dietzfelbinger, "Universal hashing and k-wise independent random variables via integer arithmetic" (multiply, add, shift).
/// </remarks>
internal sealed class KeyComparer<T> : IEqualityComparer<T>
{
    private static readonly ulong[] s_secret = Secret();

    private KeyComparer()
    {
    }

    /// <summary>The comparer, or null if the type's own one is safe, or is the application's.</summary>
    public static IEqualityComparer<T>? Instance { get; } = IsPredictable() ? new KeyComparer<T>() : null;

    /// <inheritdoc/>
    public bool Equals(T? x, T? y) => EqualityComparer<T>.Default.Equals(x, y);

    /// <inheritdoc/>
    public int GetHashCode(T key)
    {
        // Each comparison is evaluated when the method is compiled for a key's type.
        if (typeof(T) == typeof(float))
            return Mix(BitConverter.DoubleToUInt64Bits(Canonical((float)(object)key!)), 0);
        if (typeof(T) == typeof(double))
            return Mix(BitConverter.DoubleToUInt64Bits(Canonical((double)(object)key!)), 0);
        if (typeof(T) == typeof(DateTime))
            return Mix((ulong)((DateTime)(object)key!).Ticks, 0);
        if (typeof(T) == typeof(DateTimeOffset))
            return Mix((ulong)((DateTimeOffset)(object)key!).UtcTicks, 0);
        if (typeof(T) == typeof(decimal))
        {
            // Dividing by one of full scale removes trailing zeros: 1.0 and 1.00 are equal.
            var (low, high) = Unsafe.BitCast<decimal, (ulong, ulong)>((decimal)(object)key! / 1.0000000000000000000000000000m);
            return Mix(low, high);
        }

        if (Unsafe.SizeOf<T>() == sizeof(uint))
            return Mix(Unsafe.As<T, uint>(ref key), 0);
        if (Unsafe.SizeOf<T>() == sizeof(ulong))
            return Mix(Unsafe.As<T, ulong>(ref key), 0);
        var words = Unsafe.As<T, (ulong Low, ulong High)>(ref key);
        return Mix(words.Low, words.High);
    }

    private static int Mix(ulong low, ulong high)
    {
        var secret = s_secret;
        var sum = secret[0] + (secret[1] * (uint)low) + (secret[2] * (low >> 32));
        if (Unsafe.SizeOf<T>() > sizeof(ulong))
            sum += (secret[3] * (uint)high) + (secret[4] * (high >> 32));
        return (int)(sum >> 32);
    }

    private static double Canonical(double value) => value == 0 ? 0 : double.IsNaN(value) ? double.NaN : value;

    // Types of at most two bytes have too few values for an attack.
    private static bool IsPredictable()
        => (typeof(T).IsEnum && Unsafe.SizeOf<T>() >= sizeof(uint))
            || typeof(T) == typeof(int) || typeof(T) == typeof(uint) || typeof(T) == typeof(long) || typeof(T) == typeof(ulong)
            || typeof(T) == typeof(float) || typeof(T) == typeof(double) || typeof(T) == typeof(decimal) || typeof(T) == typeof(Guid)
            || typeof(T) == typeof(Int128) || typeof(T) == typeof(UInt128) || typeof(T) == typeof(TimeSpan) || typeof(T) == typeof(DateTime)
            || typeof(T) == typeof(DateTimeOffset) || typeof(T) == typeof(DateOnly) || typeof(T) == typeof(TimeOnly);

    private static ulong[] Secret()
    {
        var secret = new ulong[5];
        RandomNumberGenerator.Fill(System.Runtime.InteropServices.MemoryMarshal.AsBytes(secret.AsSpan()));
        return secret;
    }
}
