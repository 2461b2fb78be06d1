namespace Postrider.Rpc;

/// <summary>A parameter of one value.</summary>
/// <typeparam name="T">Its type.</typeparam>
/// <param name="place">Where.</param>
/// <param name="name">Its name there.</param>
/// <param name="text">The form of a value.</param>
/// <param name="isRequired">A request without it is refused.</param>
/// <param name="missing">The value when it is not there.</param>
public sealed class HttpScalarParameter<T>(HttpParameterSource place, string name, HttpValueConverter<T> text, bool isRequired, T missing = default!) : HttpParameter(place, name, isRequired)
{
    /// <inheritdoc/>
    public override bool IsList => false;

    /// <inheritdoc/>
    public override HttpValueConverter Text => text;

    /// <summary>Reads the value.</summary>
    /// <param name="inputs">The request.</param>
    /// <returns>The value.</returns>
    /// <exception cref="RpcException">It is missing, there twice, or not of the type: <see cref="RpcStatus.InvalidData"/>.</exception>
    public T Read(HttpRequestValues inputs)
    {
        ArgumentNullException.ThrowIfNull(inputs);
        var count = inputs.Count(Place, Name);
        if (count > 1)
            throw Repeated(count);
        var value = count == 0 ? null : inputs.Get(Place, Name, 0);

        // A form sends the fields that were left empty.
        if (value is null || (value.Length == 0 && !IsRequired && typeof(T) != typeof(string)))
            return IsRequired ? throw Missing() : missing;
        return text.TryParse(value, out var read) ? read : throw Unreadable(value);
    }

    /// <summary>Writes the value; null is not written.</summary>
    /// <param name="target">The request.</param>
    /// <param name="value">The value.</param>
    /// <exception cref="RpcException">It cannot stand there, or is null where it is required: <see cref="RpcStatus.InvalidData"/>.</exception>
    public void Write(HttpRequestTarget target, T value)
    {
        ArgumentNullException.ThrowIfNull(target);
        if (value is not null && text.Format(value) is { } written)
            target.Add(Place, Name, written);
        else if (IsRequired)
            throw Missing();
    }
}
