namespace Postrider.Transports;

/// <summary>The other side answered with an error.</summary>
/// <param name="destination">Where the handler listens.</param>
/// <param name="code">The error's kind as the other side names it.</param>
/// <param name="message">What the other side said.</param>
public sealed class RemoteException(string destination, string code, string message)
    : PostriderException(PostriderError.Remote, $"'{destination}' answered {code}: {message}")
{
    /// <summary>Where the handler listens.</summary>
    public string Destination { get; } = destination;

    /// <summary>The error's kind as the other side names it: a <see cref="PostriderError"/> or an exception's type name.</summary>
    public string Code { get; } = code;
}
