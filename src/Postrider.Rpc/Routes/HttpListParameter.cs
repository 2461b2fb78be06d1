namespace Postrider.Rpc;

/// <summary>A query parameter that may occur any number of times.</summary>
/// <typeparam name="T">The type of a value.</typeparam>
/// <param name="source">The source of the parameter.</param>
/// <param name="name">The name in the request.</param>
/// <param name="text">The converter of a value.</param>
/// <param name="isNullable">Whether a missing parameter is null instead of an empty list.</param>
public sealed class HttpListParameter<T>(HttpParameterSource source, string name, HttpValueConverter<T> text, bool isNullable) : HttpParameter(source, name, isRequired: false)
{
    /// <inheritdoc/>
    public override bool IsList => true;

    /// <inheritdoc/>
    public override HttpValueConverter Text => text;

    /// <summary>Reads the values.</summary>
    /// <param name="request">The request values.</param>
    /// <returns>The values, in order.</returns>
    /// <exception cref="RpcException">A value is invalid: <see cref="RpcStatus.InvalidData"/>.</exception>
    public T[] ReadArray(HttpRequestValues request)
    {
        ArgumentNullException.ThrowIfNull(request);
        var values = new T[request.Count(Source, Name)];
        for (var i = 0; i < values.Length; i++)
        {
            var value = request.Get(Source, Name, i);
            values[i] = text.TryParse(value, out var read) ? read : throw Unreadable(value);
        }

        return values.Length == 0 && isNullable ? null! : values;
    }

    /// <inheritdoc cref="ReadArray"/>
    public List<T> ReadList(HttpRequestValues request) => ReadArray(request) is { } values ? [.. values] : null!;

    /// <summary>Writes the values. Null is omitted.</summary>
    /// <param name="target">The request target.</param>
    /// <param name="values">The values.</param>
    public void Write(HttpRequestTarget target, IEnumerable<T>? values)
    {
        ArgumentNullException.ThrowIfNull(target);
        foreach (var value in values ?? [])
            target.Add(Source, Name, (value is null ? null : text.Format(value)) ?? throw new RpcException(RpcStatus.InvalidData, $"{Source} parameter '{Name}' contains null, which cannot be sent."));
    }
}
