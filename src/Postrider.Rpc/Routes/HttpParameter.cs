namespace Postrider.Rpc;

/// <summary>A parameter of a request outside its body.</summary>
/// <param name="source">The source of the parameter.</param>
/// <param name="name">The name in the request.</param>
/// <param name="isRequired">Whether requests without it are rejected.</param>
public abstract class HttpParameter(HttpParameterSource source, string name, bool isRequired)
{
    // The maximum length of a rejected value in the error message.
    private const int ShownLetters = 100;

    /// <summary>The source of the parameter.</summary>
    public HttpParameterSource Source { get; } = source;

    /// <summary>The name in the request.</summary>
    public string Name { get; } = name;

    /// <summary>Whether requests without it are rejected.</summary>
    public bool IsRequired { get; } = isRequired;

    /// <summary>Whether the parameter may occur any number of times.</summary>
    public abstract bool IsList { get; }

    /// <summary>The converter of a value.</summary>
    public abstract HttpValueConverter Text { get; }

    private protected RpcException Missing() => new(RpcStatus.InvalidData, $"{Source} parameter '{Name}' is missing; it must be {Text.Expected}.");

    private protected RpcException Unreadable(string value)
        => new(RpcStatus.InvalidData, $"{Source} parameter '{Name}' is '{(value.Length > ShownLetters ? value[..ShownLetters] + "…" : value)}'; it must be {Text.Expected}.");

    private protected RpcException Repeated(int count) => new(RpcStatus.InvalidData, $"{Source} parameter '{Name}' occurs {count} times; it must be {Text.Expected}, once.");
}
