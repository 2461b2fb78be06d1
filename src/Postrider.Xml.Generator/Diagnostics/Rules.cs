using System.Globalization;
using Microsoft.CodeAnalysis;
using Postrider.Xml.Generator.Parsing;

namespace Postrider.Xml.Generator.Diagnostics;

/// <summary>The diagnostics; each has a page in <c>docs/diagnostics</c>.</summary>
internal static class Rules
{
    internal static readonly DiagnosticDescriptor[] All =
    [
        Error(Rule.NotSerializable, "Type has no XML", "{0}, which {1} asks for, has no form in XML: use a class with public members, a data contract, a collection or a scalar"),
        Error(Rule.WrongContext, "Context cannot be completed", "{0} cannot be completed: {1}"),
        Error(Rule.NotAccessible, "Member cannot be reached", "{0} cannot be reached from {1}: make it internal or public, with a getter"),
        Error(Rule.NoConstructor, "Object has no constructor that fits", "{0} has no reachable constructor whose parameters are all members, by name, of the same type; a [DataContract] needs none"),
        Error(Rule.DuplicateName, "Element is named twice", "Element '{0}' of {1} is named twice: give one of the members another name"),
        Error(Rule.IsReference, "Data contract is written by reference", "{0} has IsReference, and objects are written where they stand, each time: leave it out, and let no object contain itself"),
        Error(Rule.NeverSet, "Member cannot be set", "{0} is written and could not be read: give it a setter, private if you like (in a generic class one that the context can reach), or a parameter of the constructor"),
    ];

    internal static DiagnosticDescriptor Of(Rule rule) => All[(int)rule - 1];

    /// <summary>A problem in one line, with its id.</summary>
    internal static string Text(Problem problem)
        => Of(problem.Rule).Id + ": " + string.Format(CultureInfo.InvariantCulture, Of(problem.Rule).MessageFormat.ToString(CultureInfo.InvariantCulture), problem.Arguments);

    // Not to be suppressed: the build would pass and data be lost.
    private static DiagnosticDescriptor Error(Rule rule, string title, string message) => new(
        $"PXM{(int)rule:000}", title, message, "Postrider.Xml", DiagnosticSeverity.Error, isEnabledByDefault: true,
        helpLinkUri: $"https://github.com/postrider/postrider/blob/main/docs/diagnostics/PXM{(int)rule:000}.md",
        customTags: WellKnownDiagnosticTags.NotConfigurable);
}
