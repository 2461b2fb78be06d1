using System.Collections.Generic;
using System.Collections.Immutable;
using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Postrider.Generators;
using Postrider.MessagePack.Generator.Parsing;

namespace Postrider.MessagePack.Generator.Diagnostics;

/// <summary>Reports types for which the generator cannot write code.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class MessagePackAnalyzer : TypeAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [.. DiagnosticDescriptors.All];

    private protected override IReadOnlyList<DiagnosticInfo> Find(INamedTypeSymbol type, CancellationToken ct)
    {
        if (SymbolNames.Attribute(type, KnownNames.Serializable) is null)
            return [];

        var diagnostics = new List<DiagnosticInfo>();
        ContextReader.Read(type, diagnostics, ct);
        return diagnostics;
    }
}
