namespace Postrider.MessagePack;

/// <summary>Writes and reads values of one type.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <remarks>Generated formatters are structs without fields, so that one used as a type argument is called without a table. A formatter
/// written by hand must be a struct too when <see cref="MessagePackFormatterAttribute"/> names it.
/// Thread-safe.</remarks>
public interface IMessagePackFormatter<T>
{
    /// <summary>Writes exactly one value.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="value">The value; null is written as nil.</param>
    /// <exception cref="MessagePackException">The value is nested too deeply, or its type is not a member of its union.</exception>
    void Write(ref MessagePackWriter writer, T? value);

    /// <summary>Reads exactly one value.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>The value; null for nil if the type allows null.</returns>
    /// <exception cref="MessagePackException">The bytes are not a value of the type.</exception>
    T? Read(ref MessagePackReader reader);
}
