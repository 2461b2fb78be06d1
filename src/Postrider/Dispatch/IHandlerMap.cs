namespace Postrider.Dispatch;

/// <summary>What is wired: every message type with its handlers, its middleware in order and what a call makes. In the container.</summary>
public interface IHandlerMap
{
    /// <summary>The message types by name. Reading it makes every registration: for people and tests, not for hot paths.</summary>
    IReadOnlyList<MessageDescription> Messages { get; }

    /// <summary>The map as a Markdown table.</summary>
    /// <returns>One line per message type.</returns>
    string ToMarkdown();
}
