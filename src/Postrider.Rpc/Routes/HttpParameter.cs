namespace Postrider.Rpc;

/// <summary>A parameter that stands beside the body of a request.</summary>
/// <param name="place">Where.</param>
/// <param name="name">Its name there.</param>
/// <param name="isRequired">A request without it is refused.</param>
public abstract class HttpParameter(HttpParameterSource place, string name, bool isRequired)
{
    // More of a bad value tells nobody more.
    private const int ShownLetters = 100;

    /// <summary>Where it stands.</summary>
    public HttpParameterSource Place { get; } = place;

    /// <summary>Its name there.</summary>
    public string Name { get; } = name;

    /// <summary>A request without it is refused.</summary>
    public bool IsRequired { get; } = isRequired;

    /// <summary>It may be there any number of times.</summary>
    public abstract bool IsList { get; }

    /// <summary>The form of a value.</summary>
    public abstract HttpValueConverter Text { get; }

    private protected RpcException Missing() => new(RpcStatus.InvalidData, $"{Place} parameter '{Name}' is missing; it must be {Text.Expected}.");

    private protected RpcException Unreadable(string value)
        => new(RpcStatus.InvalidData, $"{Place} parameter '{Name}' is '{(value.Length > ShownLetters ? value[..ShownLetters] + "…" : value)}'; it must be {Text.Expected}.");

    private protected RpcException Repeated(int count) => new(RpcStatus.InvalidData, $"{Place} parameter '{Name}' occurs {count} times; it must be {Text.Expected}, once.");
}
