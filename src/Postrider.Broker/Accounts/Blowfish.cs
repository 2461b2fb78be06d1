using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace Postrider.Broker.Accounts;

/// <summary>The block cipher under bcrypt, with its expensive key schedule.</summary>
/// <remarks>Not thread-safe. Source: Schneier, "Description of a New Variable-Length Key, 64-Bit Block Cipher", 1993.</remarks>
internal sealed class Blowfish
{
    private const int Rounds = 16;
    private const int PWords = Rounds + 2;
    private const int SWords = 4 * 256;

    // The cipher starts from the binary digits of pi behind the point. Computing them once (some 20 ms, less than one
    // check of a password) is shorter than listing 1042 words, and cannot have a typing error.
    private static readonly Lazy<uint[]> PiWords = new(() => ComputePiWords(PWords + SWords));

    private readonly uint[] _p = PiWords.Value[..PWords];
    private readonly uint[] _s = PiWords.Value[PWords..];

    /// <summary>Mixes a key, and a salt if there is one, into the state.</summary>
    internal void Expand(ReadOnlySpan<byte> key, ReadOnlySpan<byte> salt = default)
    {
        var position = 0;
        for (var i = 0; i < PWords; i++)
            _p[i] ^= NextWord(key, ref position);
        position = 0;
        var (left, right) = (0u, 0u);
        Refill(_p, salt, ref position, ref left, ref right);
        Refill(_s, salt, ref position, ref left, ref right);
    }

    /// <summary>Encrypts whole blocks of eight bytes in place, each on its own.</summary>
    internal void Encrypt(Span<byte> blocks)
    {
        for (; blocks.Length >= 8; blocks = blocks[8..])
        {
            var left = BinaryPrimitives.ReadUInt32BigEndian(blocks);
            var right = BinaryPrimitives.ReadUInt32BigEndian(blocks[4..]);
            Encrypt(ref left, ref right);
            BinaryPrimitives.WriteUInt32BigEndian(blocks, left);
            BinaryPrimitives.WriteUInt32BigEndian(blocks[4..], right);
        }
    }

    private void Refill(uint[] words, ReadOnlySpan<byte> salt, ref int position, ref uint left, ref uint right)
    {
        for (var i = 0; i < words.Length; i += 2)
        {
            if (!salt.IsEmpty)
            {
                left ^= NextWord(salt, ref position);
                right ^= NextWord(salt, ref position);
            }
            Encrypt(ref left, ref right);
            words[i] = left;
            words[i + 1] = right;
        }
    }

    private void Encrypt(ref uint left, ref uint right)
    {
        var (p, s) = (_p, _s);
        var (l, r) = (left, right);
        for (var i = 0; i < Rounds; i += 2)
        {
            l ^= p[i];
            r ^= Mix(s, l);
            r ^= p[i + 1];
            l ^= Mix(s, r);
        }
        left = r ^ p[Rounds + 1];
        right = l ^ p[Rounds];
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint Mix(uint[] s, uint x) =>
        ((s[x >> 24] + s[256 + (x >> 16 & 0xff)]) ^ s[512 + (x >> 8 & 0xff)]) + s[768 + (x & 0xff)];

    private static uint NextWord(ReadOnlySpan<byte> bytes, ref int position)
    {
        var word = 0u;
        for (var i = 0; i < 4; i++)
        {
            word = word << 8 | bytes[position];
            position = position + 1 == bytes.Length ? 0 : position + 1;
        }
        return word;
    }

    private static uint[] ComputePiWords(int count)
    {
        // Machin: pi = 16 atan(1/5) - 4 atan(1/239), in fixed point with spare bits for the rounding of each term.
        const int SpareBits = 64;
        var one = BigInteger.One << (count * 32 + SpareBits);
        var pi = (16 * ArcTangentOfInverse(5, one) - 4 * ArcTangentOfInverse(239, one)) >> SpareBits;
        var fraction = pi & ((BigInteger.One << (count * 32)) - 1);
        var bytes = new byte[count * 4];
        var digits = fraction.ToByteArray(isUnsigned: true, isBigEndian: true);
        digits.CopyTo(bytes, bytes.Length - digits.Length);

        var words = new uint[count];
        for (var i = 0; i < count; i++)
            words[i] = BinaryPrimitives.ReadUInt32BigEndian(bytes.AsSpan(i * 4));
        return words;
    }

    private static BigInteger ArcTangentOfInverse(int inverse, BigInteger one)
    {
        var power = one / inverse;
        var sum = power;
        for (var n = 3; !power.IsZero; n += 2)
        {
            power /= inverse * inverse;
            sum += n % 4 == 3 ? -power / n : power / n;
        }
        return sum;
    }
}
