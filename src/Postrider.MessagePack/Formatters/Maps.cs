namespace Postrider.MessagePack.Formatters;

/// <summary>Formatters of dictionaries, each as a map.</summary>
public static class Maps
{
    /// <summary>A dictionary.</summary>
    /// <typeparam name="TKey">The key.</typeparam>
    /// <typeparam name="TKeyFormatter">The formatter of its items.</typeparam>
    /// <typeparam name="TValue">The value.</typeparam>
    /// <typeparam name="TValueFormatter">The formatter of its items.</typeparam>
    public readonly struct DictionaryOf<TKey, TKeyFormatter, TValue, TValueFormatter> : IMessagePackFormatter<Dictionary<TKey, TValue>>
        where TKey : notnull
        where TKeyFormatter : struct, IMessagePackFormatter<TKey>
        where TValueFormatter : struct, IMessagePackFormatter<TValue>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, Dictionary<TKey, TValue>? value)
        {
            if (value is null)
            {
                writer.WriteNil();
                return;
            }

            writer.WriteMapHeader(value.Count);
            writer.Descend();
            foreach (var (key, item) in value)
            {
                default(TKeyFormatter).Write(ref writer, key);
                default(TValueFormatter).Write(ref writer, item);
            }

            writer.Ascend();
        }

        /// <inheritdoc/>
        public Dictionary<TKey, TValue>? Read(ref MessagePackReader reader)
        {
            if (reader.TryReadNil())
                return null;

            var count = reader.ReadMapHeader();
            var room = ItemFormatter.Room<(TKey, TValue)>(count, reader.Remaining / ItemFormatter.HashRoomFactor);
            var pairs = new Dictionary<TKey, TValue>(room, KeyComparer<TKey>.Instance);
            reader.Descend();
            for (var i = 0; i < count; i++)
            {
                var start = reader.Consumed;
                var key = default(TKeyFormatter).Read(ref reader);
                if (key is null)
                    ThrowHelper.InvalidValue(start, "a key", "nil");
                if (!pairs.TryAdd(key!, default(TValueFormatter).Read(ref reader)!))
                    ThrowHelper.DuplicateKey(start);
            }

            reader.Ascend();
            return pairs;
        }
    }

    /// <summary>Any other dictionary.</summary>
    /// <typeparam name="TMap">The dictionary.</typeparam>
    /// <typeparam name="TKey">The key.</typeparam>
    /// <typeparam name="TKeyFormatter">The formatter of its items.</typeparam>
    /// <typeparam name="TValue">The value.</typeparam>
    /// <typeparam name="TValueFormatter">The formatter of its items.</typeparam>
    /// <typeparam name="TFactory">Creates it.</typeparam>
    public readonly struct Any<TMap, TKey, TKeyFormatter, TValue, TValueFormatter, TFactory> : IMessagePackFormatter<TMap>
        where TMap : class, IEnumerable<KeyValuePair<TKey, TValue>>
        where TKey : notnull
        where TKeyFormatter : struct, IMessagePackFormatter<TKey>
        where TValueFormatter : struct, IMessagePackFormatter<TValue>
        where TFactory : struct, IMapFactory<TMap, TKey, TValue>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, TMap? value)
        {
            switch (value)
            {
                case null:
                    writer.WriteNil();
                    break;
                case Dictionary<TKey, TValue> pairs:
                    default(DictionaryOf<TKey, TKeyFormatter, TValue, TValueFormatter>).Write(ref writer, pairs);
                    break;
                default:
                    Enumerate(ref writer, value);
                    break;
            }
        }

        /// <inheritdoc/>
        public TMap? Read(ref MessagePackReader reader)
            => default(DictionaryOf<TKey, TKeyFormatter, TValue, TValueFormatter>).Read(ref reader) is { } pairs ? TFactory.Create(pairs) : null;

        private static void Enumerate(ref MessagePackWriter writer, TMap value)
        {
            // A concurrent dictionary may change while it is written: the copy ensures that the count matches.
            var pairs = value.ToArray();
            writer.WriteMapHeader(pairs.Length);
            writer.Descend();
            foreach (var (key, item) in pairs)
            {
                default(TKeyFormatter).Write(ref writer, key);
                default(TValueFormatter).Write(ref writer, item);
            }

            writer.Ascend();
        }
    }
}
