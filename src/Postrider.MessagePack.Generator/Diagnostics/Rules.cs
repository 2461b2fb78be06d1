using System.Globalization;
using Microsoft.CodeAnalysis;
using Postrider.MessagePack.Generator.Parsing;

namespace Postrider.MessagePack.Generator.Diagnostics;

/// <summary>The diagnostics; each has a page in <c>docs/diagnostics</c>.</summary>
internal static class Rules
{
    internal static readonly DiagnosticDescriptor[] All =
    [
        Error(Rule.NotSerializable, "Type has no formatter", "{0}, which {1} asks for, has no formatter: give it [MessagePackObject], list its types with [Union], or name a formatter with [MessagePackFormatter]"),
        Error(Rule.NoKey, "Member has no key", "{0} of {1} has no [Key]; give it one, or [IgnoreMember], or make it [MessagePackObject(true)]"),
        Error(Rule.DuplicateKey, "Key is used twice", "Key {0} of {1} is used by {2}"),
        Error(Rule.MixedKeys, "Keys do not fit together", "{0}: {1}"),
        Error(Rule.NoConstructor, "Object has no constructor that fits", "{0} has no reachable constructor whose parameters are all members, by name or by index, of the same type"),
        Error(Rule.WrongUnion, "Union cannot be read", "{0}: {1}"),
        Error(Rule.WrongContext, "Context cannot be completed", "{0} cannot be completed: {1}"),
        Error(Rule.NotAccessible, "Member cannot be reached", "{0} cannot be reached from {1}: make it internal or public, with a getter"),
        Error(Rule.WrongFormatter, "Formatter does not fit", "{0} is no struct that implements IMessagePackFormatter<{1}>"),
    ];

    internal static DiagnosticDescriptor Of(Rule rule) => All[(int)rule - 1];

    /// <summary>A problem in one line, with its id.</summary>
    internal static string Text(Problem problem)
        => Of(problem.Rule).Id + ": " + string.Format(CultureInfo.InvariantCulture, Of(problem.Rule).MessageFormat.ToString(CultureInfo.InvariantCulture), problem.Arguments);

    // Not to be suppressed: the build would pass and data be lost.
    private static DiagnosticDescriptor Error(Rule rule, string title, string message) => new(
        $"PMP{(int)rule:000}", title, message, "Postrider.MessagePack", DiagnosticSeverity.Error, isEnabledByDefault: true,
        helpLinkUri: $"https://github.com/postrider/postrider/blob/main/docs/diagnostics/PMP{(int)rule:000}.md",
        customTags: WellKnownDiagnosticTags.NotConfigurable);
}
