using System.Text;

namespace Postrider.Dispatch;

/// <summary>The handler map of one container.</summary>
internal sealed class HandlerMap(PipelineTable table) : IHandlerMap
{
    public IReadOnlyList<MessageDescription> Messages { get; } =
        [.. table.Descriptions().OrderBy(d => d.Message, StringComparer.Ordinal)];

    public string ToMarkdown()
    {
        var text = new StringBuilder("| message | kind | response | handlers | middleware, outermost first | lifetime | per call |\n|---|---|---|---|---|---|---|\n");
        foreach (var d in Messages)
        {
            text.Append("| ").Append(d.Message).Append(" | ").Append(d.Kind).Append(" | ").Append(d.Response).Append(" | ")
                .AppendJoin(", ", d.Handlers).Append(" | ").AppendJoin(", ", d.Middleware).Append(" | ")
                .Append(d.Lifetime).Append(" | ").Append(d.Needs).Append(" |\n");
        }

        return text.ToString();
    }
}
