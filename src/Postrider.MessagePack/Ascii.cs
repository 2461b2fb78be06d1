// Hot path: MessagePackWriter.Write(string), MessagePackReader.ReadString -> this -> vectors. Allocations: the string read.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Text;

namespace Postrider.MessagePack;

/// <summary>Converts text between UTF-16 and UTF-8 if it is ASCII, sixteen characters at a time; other text is left to the platform.</summary>
/// <remarks>The last step overlaps the one before it instead of counting single characters: names and short texts, which
/// are most of what is sent, take two or three steps without a loop per byte.</remarks>
internal static class Ascii
{
    private static readonly UTF8Encoding s_strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>Narrows text to bytes.</summary>
    /// <param name="text">The text.</param>
    /// <param name="target">Room for as many bytes as there are characters; its contents are undefined afterwards if the text is not ASCII.</param>
    /// <returns>Whether all of it was ASCII.</returns>
    public static bool TryNarrow(ReadOnlySpan<char> text, ref byte target)
    {
        ref var source = ref Unsafe.As<char, ushort>(ref MemoryMarshal.GetReference(text));
        nuint length = (uint)text.Length;
        if (length >= 8)
        {
            var seen = Vector128<ushort>.Zero;
            nuint i = 0;
            for (; i + 16 <= length; i += 16)
            {
                var low = Vector128.LoadUnsafe(ref source, i);
                var high = Vector128.LoadUnsafe(ref source, i + 8);
                seen |= low | high;
                Vector128.Narrow(low, high).StoreUnsafe(ref target, i);
            }

            if (i + 8 <= length)
                seen |= NarrowEight(ref source, ref target, i);
            if ((length & 7) != 0)
                seen |= NarrowEight(ref source, ref target, length - 8);
            return (seen & Vector128.Create((ushort)0xFF80)) == Vector128<ushort>.Zero;
        }

        var bits = 0;
        for (nuint i = 0; i < length; i++)
        {
            int character = Unsafe.Add(ref source, i);
            bits |= character;
            Unsafe.Add(ref target, i) = (byte)character;
        }

        return bits < 0x80;
    }

    /// <summary>Reads UTF-8.</summary>
    /// <param name="utf8">The bytes.</param>
    /// <param name="text">The text.</param>
    /// <returns>Whether the bytes were UTF-8.</returns>
    public static bool TryRead(ReadOnlySpan<byte> utf8, out string text)
    {
        if (IsAscii(ref MemoryMarshal.GetReference(utf8), (uint)utf8.Length))
        {
            text = string.Create(utf8.Length, utf8, static (characters, bytes) => Widen(ref MemoryMarshal.GetReference(bytes), characters));
            return true;
        }

        return TryReadUtf8(utf8, out text);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool TryReadUtf8(ReadOnlySpan<byte> utf8, out string text)
    {
        text = "";
        if (!System.Text.Unicode.Utf8.IsValid(utf8))
            return false;

        text = s_strict.GetString(utf8);
        return true;
    }

    private static bool IsAscii(ref byte source, nuint length)
    {
        if (length >= 16)
        {
            var seen = Vector128.LoadUnsafe(ref source, length - 16);
            for (nuint i = 0; i + 16 <= length; i += 16)
                seen |= Vector128.LoadUnsafe(ref source, i);
            return (seen & Vector128.Create((byte)0x80)) == Vector128<byte>.Zero;
        }

        ulong bits = 0;
        if (length >= 8)
        {
            bits = Unsafe.ReadUnaligned<ulong>(ref source) | Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref source, length - 8));
        }
        else if (length >= 4)
        {
            bits = Unsafe.ReadUnaligned<uint>(ref source) | Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref source, length - 4));
        }
        else
        {
            for (nuint i = 0; i < length; i++)
                bits |= Unsafe.Add(ref source, i);
        }

        return (bits & 0x8080808080808080) == 0;
    }

    private static void Widen(ref byte source, Span<char> characters)
    {
        ref var target = ref Unsafe.As<char, ushort>(ref MemoryMarshal.GetReference(characters));
        nuint length = (uint)characters.Length;
        if (length >= 16)
        {
            WidenSixteen(ref source, ref target, length - 16);
            for (nuint i = 0; i + 16 <= length; i += 16)
                WidenSixteen(ref source, ref target, i);
        }
        else if (length >= 8)
        {
            WidenEight(ref source, ref target, 0);
            WidenEight(ref source, ref target, length - 8);
        }
        else
        {
            for (nuint i = 0; i < length; i++)
                Unsafe.Add(ref target, i) = Unsafe.Add(ref source, i);
        }
    }

    private static void WidenSixteen(ref byte source, ref ushort target, nuint at)
    {
        var (low, high) = Vector128.Widen(Vector128.LoadUnsafe(ref source, at));
        low.StoreUnsafe(ref target, at);
        high.StoreUnsafe(ref target, at + 8);
    }

    private static void WidenEight(ref byte source, ref ushort target, nuint at)
    {
        var bytes = Vector128.CreateScalarUnsafe(Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref source, at))).AsByte();
        Vector128.WidenLower(bytes).StoreUnsafe(ref target, at);
    }

    private static Vector128<ushort> NarrowEight(ref ushort source, ref byte target, nuint at)
    {
        var eight = Vector128.LoadUnsafe(ref source, at);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, at), Vector128.Narrow(eight, eight).AsUInt64().ToScalar());
        return eight;
    }
}
