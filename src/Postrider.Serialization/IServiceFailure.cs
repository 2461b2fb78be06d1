namespace Postrider.Serialization;

/// <summary>A failure of a service that the code called, or of the connection to it. The exceptions of calls and of the client have it, so that
/// whoever answers for the code need not know them: over HTTP, for example, 503, 504 and 409.</summary>
public interface IServiceFailure
{
    /// <summary>The kind of failure.</summary>
    ServiceFailureKind Kind { get; }
}
