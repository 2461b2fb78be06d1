using Postrider.Xml.Elements;

namespace Postrider.Xml.Formatters;

/// <summary>Formatters of dictionaries: an element for each pair, with a key and a value.</summary>
public static class Maps
{
    /// <summary>A dictionary, for the class and the interfaces that it implements.</summary>
    /// <typeparam name="TMap">The dictionary or one of its interfaces.</typeparam>
    /// <typeparam name="TKey">The key.</typeparam>
    /// <typeparam name="TKeyFormatter">The formatter of its items.</typeparam>
    /// <typeparam name="TValue">The value.</typeparam>
    /// <typeparam name="TValueFormatter">The formatter of its items.</typeparam>
    /// <typeparam name="TName">The name of a pair's element.</typeparam>
    public readonly struct Of<TMap, TKey, TKeyFormatter, TValue, TValueFormatter, TName> : IXmlFormatter<TMap>
        where TMap : class, IEnumerable<KeyValuePair<TKey, TValue>>
        where TKey : notnull
        where TKeyFormatter : struct, IXmlFormatter<TKey>
        where TValueFormatter : struct, IXmlFormatter<TValue>
        where TName : struct, IXmlName
    {
        /// <inheritdoc/>
        public void Write(ref ElementWriter writer, TMap value) => Pairs<TKey, TKeyFormatter, TValue, TValueFormatter, TName>.Write(ref writer, value);

        /// <inheritdoc/>
        public TMap Read(ref ElementReader reader)
        {
            if (reader.TryReadNil())
                return null!;
            var map = new Dictionary<TKey, TValue>();
            Pairs<TKey, TKeyFormatter, TValue, TValueFormatter, TName>.Read(ref reader, map);
            return (TMap)(object)map;
        }
    }

    /// <summary>Any other dictionary class that starts empty and accepts pairs.</summary>
    /// <typeparam name="TMap">The dictionary.</typeparam>
    /// <typeparam name="TKey">The key.</typeparam>
    /// <typeparam name="TKeyFormatter">The formatter of its items.</typeparam>
    /// <typeparam name="TValue">The value.</typeparam>
    /// <typeparam name="TValueFormatter">The formatter of its items.</typeparam>
    /// <typeparam name="TName">The name of a pair's element.</typeparam>
    public readonly struct Sorted<TMap, TKey, TKeyFormatter, TValue, TValueFormatter, TName> : IXmlFormatter<TMap>
        where TMap : class, IDictionary<TKey, TValue>, new()
        where TKey : notnull
        where TKeyFormatter : struct, IXmlFormatter<TKey>
        where TValueFormatter : struct, IXmlFormatter<TValue>
        where TName : struct, IXmlName
    {
        /// <inheritdoc/>
        public void Write(ref ElementWriter writer, TMap value) => Pairs<TKey, TKeyFormatter, TValue, TValueFormatter, TName>.Write(ref writer, value);

        /// <inheritdoc/>
        public TMap Read(ref ElementReader reader)
        {
            if (reader.TryReadNil())
                return null!;
            var map = new TMap();
            Pairs<TKey, TKeyFormatter, TValue, TValueFormatter, TName>.Read(ref reader, map);
            return map;
        }
    }

    private static class Pairs<TKey, TKeyFormatter, TValue, TValueFormatter, TName>
        where TKey : notnull
        where TKeyFormatter : struct, IXmlFormatter<TKey>
        where TValueFormatter : struct, IXmlFormatter<TValue>
        where TName : struct, IXmlName
    {
        public static void Write(ref ElementWriter writer, IEnumerable<KeyValuePair<TKey, TValue>>? value)
        {
            if (value is null)
            {
                writer.WriteNil();
                return;
            }

            var outer = writer.Enter(TName.Namespace);
            foreach (var (key, item) in value)
            {
                writer.Start(TName.Name);
                writer.Start("Key"u8);
                default(TKeyFormatter).Write(ref writer, key);
                writer.End("Key"u8);
                writer.Start("Value"u8);
                default(TValueFormatter).Write(ref writer, item);
                writer.End("Value"u8);
                writer.End(TName.Name);
            }

            writer.Leave(outer);
        }

        public static void Read(ref ElementReader reader, IDictionary<TKey, TValue> map)
        {
            var element = reader.Enter();
            while (reader.MoveToChild(element))
            {
                var start = reader.Position;
                if (!reader.LocalName.SequenceEqual(TName.Name))
                    ThrowHelper.Throw(XmlError.UnexpectedElement, $"Expected '{ThrowHelper.Shown(TName.Name)}' at byte {start}, found {reader.Describe()}.", start);
                var (key, value) = Pair(ref reader);
                if (key is null)
                    ThrowHelper.Throw(XmlError.InvalidValue, $"The key of the pair at byte {start} is null.", start);
                if (!map.TryAdd(key, value))
                    ThrowHelper.Throw(XmlError.DuplicateElement, $"The key of the pair at byte {start} occurs twice.", start);
            }
        }

        private static (TKey Key, TValue Value) Pair(ref ElementReader reader)
        {
            TKey key = default!;
            TValue value = default!;
            ulong seen = 0;
            var pair = reader.Enter();
            while (reader.MoveToChild(pair))
            {
                if (reader.LocalName.SequenceEqual("Key"u8))
                {
                    reader.CheckDuplicate(ref seen, 0);
                    key = default(TKeyFormatter).Read(ref reader);
                }
                else if (reader.LocalName.SequenceEqual("Value"u8))
                {
                    reader.CheckDuplicate(ref seen, 1);
                    value = default(TValueFormatter).Read(ref reader);
                }
                else
                {
                    reader.Skip();
                }
            }

            reader.Require(seen, 3, "A pair", "Key Value");
            return (key, value);
        }
    }
}
