using Postrider.Generators;
using Postrider.MessagePack.Generator.Model;

namespace Postrider.MessagePack.Generator.Emitting;

/// <summary>Writes the formatter of a union.</summary>
internal static class UnionEmitter
{
    internal static void Emit(SourceWriter source, UnionModel model)
    {
        const string Library = ContextEmitter.Library;
        source.Line();
        using (source.Block($"private readonly struct {model.Formatter} : {Library}IMessagePackFormatter<{model.Type}>"))
        {
            using (source.Block($"public void Write(ref {Library}MessagePackWriter writer, {model.Type} value)"))
            {
                source.Line("if (value is null) { writer.WriteNil(); return; }");
                source.Line("var type = value.GetType();");
                foreach (var one in model.Cases)
                {
                    using (source.Block($"if (type == typeof({one.Type}))"))
                    {
                        source.Line("writer.WriteArrayHeader(2);");
                        source.Line($"writer.Write({one.Key});");
                        source.Line($"default({one.Formatter}).Write(ref writer, ({one.Type})(object)value);");
                        source.Line("return;");
                    }
                }

                source.Line($"{Library}Formatters.FormatterChecks.ThrowNotInUnion(type, {SymbolNames.Text(model.Display)});");
            }

            source.Line();
            using (source.Block($"public {model.Type} Read(ref {Library}MessagePackReader reader)"))
            {
                source.Line("if (reader.TryReadNil()) return default;");
                source.Line($"var key = {Library}Formatters.FormatterChecks.ReadUnionKey(ref reader, {SymbolNames.Text(model.Display)});");
                using (source.Block("switch (key)"))
                {
                    foreach (var one in model.Cases)
                        source.Line($"case {one.Key}: return default({one.Formatter}).Read(ref reader);");
                    source.Line($"default: {Library}Formatters.FormatterChecks.ThrowUnknownKey(ref reader, key, {SymbolNames.Text(model.Display)}); return default;");
                }
            }
        }
    }
}
