namespace Postrider.MessagePack.Formatters;

/// <summary>Called by generated formatters of objects and unions.</summary>
public static class FormatterChecks
{
    /// <summary>Reads an array's header and checks its length.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="count">The length.</param>
    /// <param name="what">The name of the value being read, for the error.</param>
    /// <exception cref="MessagePackException"><see cref="MessagePackError.InvalidValue"/>: the length differs.</exception>
    public static void ReadArrayHeader(ref MessagePackReader reader, int count, string what)
    {
        reader.PeekCode();
        var start = reader.Consumed;
        var found = reader.ReadArrayHeader();
        if (found != count)
            ThrowHelper.InvalidValue(start, $"{what}, an array of {count}", $"an array of {found}");
    }

    /// <summary>Records that a member was read.</summary>
    /// <param name="seen">One bit per member.</param>
    /// <param name="number">The member's bit.</param>
    /// <param name="position">Position of its key, in bytes from the start of the input.</param>
    /// <exception cref="MessagePackException"><see cref="MessagePackError.DuplicateKey"/>: the member was read before.</exception>
    public static void CheckDuplicate(ref ulong seen, int number, long position)
    {
        var bit = 1UL << number;
        if ((seen & bit) != 0)
            ThrowHelper.DuplicateKey(position);
        seen |= bit;
    }

    /// <summary>Reads the header and key before a union's value.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="union">The union's name, for the error.</param>
    /// <returns>The key.</returns>
    public static int ReadUnionKey(ref MessagePackReader reader, string union)
    {
        ReadArrayHeader(ref reader, 2, union);
        return reader.ReadInt32();
    }

    /// <summary>Rejects a key that the union does not list.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="key">The key.</param>
    /// <param name="union">The union's name.</param>
    /// <exception cref="MessagePackException"><see cref="MessagePackError.UnknownUnionMember"/>, always.</exception>
    public static void ThrowUnknownKey(ref MessagePackReader reader, int key, string union)
        => throw new MessagePackException(
            MessagePackError.UnknownUnionMember, $"{union} has no member with the key {key}, which ends at byte {reader.Consumed}.", reader.Consumed);

    /// <summary>Rejects a value of a type that the union does not list.</summary>
    /// <param name="type">The type.</param>
    /// <param name="union">The union's name.</param>
    /// <exception cref="MessagePackException"><see cref="MessagePackError.UnknownUnionMember"/>, always.</exception>
    public static void ThrowNotInUnion(Type type, string union)
        => throw new MessagePackException(MessagePackError.UnknownUnionMember, $"{type} is not a member of {union}: add a [Union] for it.");
}
