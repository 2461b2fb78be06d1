namespace Postrider.Dispatch;

/// <summary>The wiring of a container: every message type with its handlers, its middleware in order, and its needs per call. Resolve it
/// from the container.</summary>
public interface IHandlerMap
{
    /// <summary>The message types by name. Reading it creates every registration, so use it for diagnostics and tests, not on hot paths.</summary>
    IReadOnlyList<MessageDescription> Messages { get; }

    /// <summary>The map as a Markdown table.</summary>
    /// <returns>One line per message type.</returns>
    string ToMarkdown();
}
