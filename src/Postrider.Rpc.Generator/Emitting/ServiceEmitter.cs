using Microsoft.CodeAnalysis;
using Postrider.Generators;
using Postrider.Rpc.Generator.Model;

namespace Postrider.Rpc.Generator.Emitting;

/// <summary>Writes the generated types of one contract.</summary>
internal static class ServiceEmitter
{
    internal static void Emit(SourceProductionContext output, ServiceModel model)
    {
        var source = new SourceWriter();

        // Types are written without nullable annotations: the interface has them, and the client must not contradict it.
        source.Line("#nullable disable annotations");
        if (model.Namespace.Length > 0)
            source.Line($"namespace {model.Namespace};").Line();
        ClientEmitter.Emit(source, model);
        source.Line();
        ContractEmitter.Emit(source, model);
        output.AddSource($"{(model.Namespace.Length > 0 ? model.Namespace + "." : "")}{model.Name}.Rpc.g.cs", source.ToText());
    }

    /// <summary>The type arguments of an operation.</summary>
    internal static string Types(OperationModel operation) => $"<{operation.Request}, {operation.Item}, {operation.Response}>";
}
