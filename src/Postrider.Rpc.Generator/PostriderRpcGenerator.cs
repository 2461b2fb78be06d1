using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Postrider.Rpc.Generator.Emitting;
using Postrider.Rpc.Generator.Parsing;

namespace Postrider.Rpc.Generator;

/// <summary>Writes a client and an endpoint for each contract.</summary>
[Generator(LanguageNames.CSharp)]
public sealed class PostriderRpcGenerator : IIncrementalGenerator
{
    /// <inheritdoc/>
    public void Initialize(IncrementalGeneratorInitializationContext context)
    {
        var services = context.SyntaxProvider
            .ForAttributeWithMetadataName(
                Names.Service,
                static (node, _) => node is InterfaceDeclarationSyntax,
                static (c, ct) => ServiceReader.Read((INamedTypeSymbol)c.TargetSymbol, [], ct))
            .Where(static found => found is not null)
            .WithTrackingName("Services");
        context.RegisterSourceOutput(services, static (output, model) => ServiceEmitter.Emit(output, model));
    }
}
