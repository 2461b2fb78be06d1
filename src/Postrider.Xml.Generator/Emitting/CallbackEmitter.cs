using Postrider.Generators;
using Postrider.Xml.Generator.Model;
using Postrider.Xml.Generator.Parsing;

namespace Postrider.Xml.Generator.Emitting;

/// <summary>Writes the calls of an object's own methods while it is written or read.</summary>
internal static class CallbackEmitter
{
    private const string Context = "global::System.Runtime.Serialization.StreamingContext";

    internal static void Call(SourceWriter source, ObjectModel model, CallbackMoment when, string target)
    {
        for (var i = 0; i < model.Callbacks.Count; i++)
        {
            var callback = model.Callbacks[i];
            if (callback.When == when)
                source.Line(callback.IsHidden ? $"Call{i}({(model.IsValueType ? "ref " : "")}{target}, default);" : $"{target}.{callback.Name}(default({Context}));");
        }
    }

    internal static void Accessor(SourceWriter source, ObjectModel model, int i)
    {
        const string Unsafe = "global::System.Runtime.CompilerServices.UnsafeAccessor";
        var callback = model.Callbacks[i];
        if (!callback.IsHidden)
            return;
        source.Line();
        source.Line($"[{Unsafe}({Unsafe}Kind.Method, Name = {SymbolNames.Text(callback.Name.TrimStart('@'))})]");
        source.Line($"private static extern void Call{i}({(model.IsValueType ? "ref " : "")}{callback.Owner} target, {Context} context);");
    }
}
