using Microsoft.CodeAnalysis;

namespace Postrider.Generators;

/// <summary>Creates the descriptors of diagnostics; each has a page in <c>docs/diagnostics</c>.</summary>
internal static class DescriptorFactory
{
    /// <summary>An error that cannot be suppressed: the build would pass, and data or a part of a contract would be missing.</summary>
    internal static DiagnosticDescriptor FixedError(string id, string category, string title, string message)
        => Create(id, category, title, message, DiagnosticSeverity.Error, WellKnownDiagnosticTags.NotConfigurable);

    internal static DiagnosticDescriptor Create(string id, string category, string title, string message, DiagnosticSeverity severity, params string[] tags) => new(
        id, title, message, category, severity, isEnabledByDefault: true,
        helpLinkUri: $"https://github.com/postrider/postrider/blob/main/docs/diagnostics/{id}.md", customTags: tags);
}
