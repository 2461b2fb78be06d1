using System.Collections.Generic;
using System.Collections.Immutable;
using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Postrider.Generators;
using Postrider.Rpc.Generator.Parsing;

namespace Postrider.Rpc.Generator.Diagnostics;

/// <summary>Reports the parts of a contract that cannot be served.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class RpcAnalyzer : TypeAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [.. DiagnosticDescriptors.All];

    private protected override IReadOnlyList<DiagnosticInfo> Find(INamedTypeSymbol type, CancellationToken ct)
    {
        var diagnostics = new List<DiagnosticInfo>();
        if (type.TypeKind == TypeKind.Class)
            WcfLimits.CheckService(type, diagnostics);
        else if (type.TypeKind == TypeKind.Interface && ((SymbolNames.Attribute(type, KnownNames.Service) ?? SymbolNames.Attribute(type, WcfNames.Service)) is not null || ServiceReader.IsMarked(type)))
            ServiceReader.Read(type, diagnostics, ct);
        return diagnostics;
    }
}
