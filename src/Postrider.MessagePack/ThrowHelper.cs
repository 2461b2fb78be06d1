using System.Diagnostics.CodeAnalysis;

namespace Postrider.MessagePack;

/// <summary>Throws the exceptions of readers and writers.</summary>
internal static class ThrowHelper
{
    [DoesNotReturn]
    public static void EndOfInput(long position)
        => throw new MessagePackException(MessagePackError.EndOfInput, $"The input ends at byte {position}, inside a value.", position);

    [DoesNotReturn]
    public static void LengthBeyondInput(long position, string what, uint length, long left)
        => throw new MessagePackException(
            MessagePackError.EndOfInput, $"{what} of {length} at byte {position} exceeds the {left} bytes that are left.", position);

    [DoesNotReturn]
    public static void TooLong(long position, string what, uint length, string limit, int most)
        => throw new MessagePackException(
            MessagePackError.TooLong, $"{what} of {length} at byte {position} exceeds {limit} {most}.", position);

    [DoesNotReturn]
    public static void Unexpected(long position, byte code, string expected)
        => throw new MessagePackException(
            MessagePackError.UnexpectedType, $"Expected {expected} at byte {position}, found {MessagePackCode.Describe(code)} (0x{code:X2}).", position);

    [DoesNotReturn]
    public static void OutOfRange(long position, string value, string least, string most)
        => throw new MessagePackException(
            MessagePackError.OutOfRange, $"Integer {value} at byte {position} is not between {least} and {most}.", position);

    [DoesNotReturn]
    public static void TooDeep(long position, int most)
        => throw new MessagePackException(
            MessagePackError.TooDeep, position < 0 ? $"The value is nested deeper than {most}, or contains itself." : $"The value at byte {position} is nested deeper than MaxDepth {most}.", position);

    [DoesNotReturn]
    public static void InvalidText(long position)
        => throw new MessagePackException(MessagePackError.InvalidText, $"The string at byte {position} is not UTF-8.", position);

    [DoesNotReturn]
    public static void InvalidValue(long position, string expected, string found)
        => throw new MessagePackException(MessagePackError.InvalidValue, $"Expected {expected} at byte {position}, found {found}.", position);

    [DoesNotReturn]
    public static void DuplicateKey(long position)
        => throw new MessagePackException(MessagePackError.DuplicateKey, $"The key at byte {position} occurs twice.", position);

    [DoesNotReturn]
    public static void TextTooLong(long bytes)
        => throw new MessagePackException(MessagePackError.TooLong, $"A string of {bytes} bytes exceeds the maximum of {int.MaxValue} bytes.");
}
