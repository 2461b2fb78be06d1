namespace Postrider.Load;

/// <summary>A measurement that cannot count: a server that does not start, an error frame, lost or wrong messages.</summary>
public sealed class LoadException : Exception
{
    public LoadException(string message) : base(message) { }

    public LoadException(string message, Exception inner) : base(message, inner) { }

    public LoadException() { }
}
