namespace Postrider.Transports;

/// <summary>The remote handler replied with an error.</summary>
/// <param name="destination">The destination of the handler.</param>
/// <param name="code">The kind of error from the remote side.</param>
/// <param name="message">The error message from the remote side.</param>
public sealed class RemoteException(string destination, string code, string message)
    : PostriderException(PostriderError.Remote, $"'{destination}' answered {code}: {message}")
{
    /// <summary>The destination of the handler.</summary>
    public string Destination { get; } = destination;

    /// <summary>The error message from the remote side, which is meant for callers.</summary>
    public string Reason { get; } = message;

    /// <summary>The kind of error from the remote side: a <see cref="PostriderError"/> or an exception's type name.</summary>
    public string Code { get; } = code;
}
