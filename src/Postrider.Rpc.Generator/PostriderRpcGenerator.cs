using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Postrider.Generators;
using Postrider.Rpc.Generator.Emitting;
using Postrider.Rpc.Generator.Model;
using Postrider.Rpc.Generator.Parsing;

namespace Postrider.Rpc.Generator;

/// <summary>Writes a client and an endpoint for each contract.</summary>
[Generator(LanguageNames.CSharp)]
public sealed class PostriderRpcGenerator : IIncrementalGenerator
{
    /// <inheritdoc/>
    public void Initialize(IncrementalGeneratorInitializationContext context)
    {
        context.RegisterSourceOutput(Services(context, KnownNames.Service).WithTrackingName("Services"), static (output, model) => ServiceEmitter.Emit(output, model));
        context.RegisterSourceOutput(Services(context, WcfNames.Service).WithTrackingName("WcfServices"), static (output, model) => ServiceEmitter.Emit(output, model));
        context.RegisterSourceOutput(Marked(context).WithTrackingName("MarkedServices"), static (output, model) => ServiceEmitter.Emit(output, model));
    }

    private static IncrementalValuesProvider<ServiceModel> Marked(IncrementalGeneratorInitializationContext context)
        => context.SyntaxProvider
            .CreateSyntaxProvider(
                static (node, _) => node is InterfaceDeclarationSyntax { BaseList: not null },
                static (c, ct) => c.SemanticModel.GetDeclaredSymbol(c.Node, ct) is INamedTypeSymbol type && ServiceReader.IsMarked(type)
                    && SymbolNames.Attribute(type, KnownNames.Service) is null && SymbolNames.Attribute(type, WcfNames.Service) is null ? ServiceReader.Read(type, [], ct) : null)
            .WhereNotNull();

    private static IncrementalValuesProvider<ServiceModel> Services(IncrementalGeneratorInitializationContext context, string attribute)
        => context.SyntaxProvider
            .ForAttributeWithMetadataName(
                attribute,
                static (node, _) => node is InterfaceDeclarationSyntax,
                static (c, ct) => ServiceReader.Read((INamedTypeSymbol)c.TargetSymbol, [], ct))
            .WhereNotNull();
}
