namespace Postrider.Rpc;

/// <summary>A parameter with one value.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
/// <param name="source">The source of the parameter.</param>
/// <param name="name">The name in the request.</param>
/// <param name="text">The converter of a value.</param>
/// <param name="isRequired">Whether requests without it are rejected.</param>
/// <param name="missing">The value if the parameter is missing.</param>
public sealed class HttpScalarParameter<T>(HttpParameterSource source, string name, HttpValueConverter<T> text, bool isRequired, T missing = default!) : HttpParameter(source, name, isRequired)
{
    /// <inheritdoc/>
    public override bool IsList => false;

    /// <inheritdoc/>
    public override HttpValueConverter Text => text;

    /// <summary>Reads the value.</summary>
    /// <param name="values">The request values.</param>
    /// <returns>The value.</returns>
    /// <exception cref="RpcException">The value is missing, repeated or invalid: <see cref="RpcStatus.InvalidData"/>.</exception>
    public T Read(HttpRequestValues values)
    {
        ArgumentNullException.ThrowIfNull(values);
        var count = values.Count(Source, Name);
        if (count > 1)
            throw Repeated(count);
        var value = count == 0 ? null : values.Get(Source, Name, 0);

        // A form also sends empty fields.
        if (value is null || (value.Length == 0 && !IsRequired && typeof(T) != typeof(string)))
            return IsRequired ? throw Missing() : missing;
        return text.TryParse(value, out var read) ? read : throw Unreadable(value);
    }

    /// <summary>Writes the value. Null is omitted.</summary>
    /// <param name="target">The request target.</param>
    /// <param name="value">The value.</param>
    /// <exception cref="RpcException">The value is not allowed there, or is null although required:
    /// <see cref="RpcStatus.InvalidData"/>.</exception>
    public void Write(HttpRequestTarget target, T value)
    {
        ArgumentNullException.ThrowIfNull(target);
        if (value is not null && text.Format(value) is { } written)
            target.Add(Source, Name, written);
        else if (IsRequired)
            throw Missing();
    }
}
