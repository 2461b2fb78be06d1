namespace Postrider.Storage.Faults;

/// <summary>A store could not be opened, or a file that it needs could not be read.</summary>
/// <param name="kind">The class of fault.</param>
/// <param name="message">The file, the operation, the system's message.</param>
/// <param name="inner">The system's exception.</param>
internal sealed class StoreException(StoreFaultKind kind, string message, Exception? inner = null) : IOException(message, inner)
{
    /// <summary>The class of fault.</summary>
    public StoreFaultKind Kind { get; } = kind;
}
