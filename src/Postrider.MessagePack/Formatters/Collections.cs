using System.Collections.Immutable;
using System.Runtime.InteropServices;

namespace Postrider.MessagePack.Formatters;

/// <summary>Formatters of sequences and sets, each as an array.</summary>
public static class Collections
{
    /// <summary>An array.</summary>
    /// <typeparam name="T">The item.</typeparam>
    /// <typeparam name="TFormatter">The formatter of its items.</typeparam>
    public readonly struct ArrayOf<T, TFormatter> : IMessagePackFormatter<T[]>
        where TFormatter : struct, IMessagePackFormatter<T>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, T[]? value)
        {
            if (value is null)
                writer.WriteNil();
            else
                ItemFormatter.Write<T, TFormatter>(ref writer, value);
        }

        /// <inheritdoc/>
        public T[]? Read(ref MessagePackReader reader) => reader.TryReadNil() ? null : ItemFormatter.ReadArray<T, TFormatter>(ref reader);
    }

    /// <summary>A list.</summary>
    /// <typeparam name="T">The item.</typeparam>
    /// <typeparam name="TFormatter">The formatter of its items.</typeparam>
    public readonly struct ListOf<T, TFormatter> : IMessagePackFormatter<List<T>>
        where TFormatter : struct, IMessagePackFormatter<T>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, List<T>? value)
        {
            if (value is null)
                writer.WriteNil();
            else
                ItemFormatter.Write<T, TFormatter>(ref writer, CollectionsMarshal.AsSpan(value));
        }

        /// <inheritdoc/>
        public List<T>? Read(ref MessagePackReader reader) => reader.TryReadNil() ? null : ItemFormatter.ReadList<T, TFormatter>(ref reader);
    }

    /// <summary>An immutable array; the default one as nil.</summary>
    /// <typeparam name="T">The item.</typeparam>
    /// <typeparam name="TFormatter">The formatter of its items.</typeparam>
    public readonly struct ImmutableArrayOf<T, TFormatter> : IMessagePackFormatter<ImmutableArray<T>>
        where TFormatter : struct, IMessagePackFormatter<T>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, ImmutableArray<T> value)
        {
            if (value.IsDefault)
                writer.WriteNil();
            else
                ItemFormatter.Write<T, TFormatter>(ref writer, value.AsSpan());
        }

        /// <inheritdoc/>
        public ImmutableArray<T> Read(ref MessagePackReader reader)
            => reader.TryReadNil() ? default : ImmutableCollectionsMarshal.AsImmutableArray(ItemFormatter.ReadArray<T, TFormatter>(ref reader));
    }

    /// <summary>A memory of items.</summary>
    /// <typeparam name="T">The item.</typeparam>
    /// <typeparam name="TFormatter">The formatter of its items.</typeparam>
    public readonly struct ReadOnlyMemoryOf<T, TFormatter> : IMessagePackFormatter<ReadOnlyMemory<T>>
        where TFormatter : struct, IMessagePackFormatter<T>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, ReadOnlyMemory<T> value) => ItemFormatter.Write<T, TFormatter>(ref writer, value.Span);

        /// <inheritdoc/>
        public ReadOnlyMemory<T> Read(ref MessagePackReader reader) => reader.TryReadNil() ? default : ItemFormatter.ReadArray<T, TFormatter>(ref reader);
    }

    /// <summary>A hash set.</summary>
    /// <typeparam name="T">The item.</typeparam>
    /// <typeparam name="TFormatter">The formatter of its items.</typeparam>
    public readonly struct HashSetOf<T, TFormatter> : IMessagePackFormatter<HashSet<T>>
        where TFormatter : struct, IMessagePackFormatter<T>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, HashSet<T>? value)
        {
            if (value is null)
            {
                writer.WriteNil();
                return;
            }

            writer.WriteArrayHeader(value.Count);
            writer.Descend();
            foreach (var item in value)
                default(TFormatter).Write(ref writer, item);
            writer.Ascend();
        }

        /// <inheritdoc/>
        public HashSet<T>? Read(ref MessagePackReader reader)
        {
            if (reader.TryReadNil())
                return null;

            var count = reader.ReadArrayHeader();
            var set = new HashSet<T>(ItemFormatter.Room<T>(count, reader.Remaining / ItemFormatter.HashRoomFactor), KeyComparer<T>.Instance);
            reader.Descend();
            for (var i = 0; i < count; i++)
            {
                var start = reader.Consumed;
                if (!set.Add(default(TFormatter).Read(ref reader)!))
                    ThrowHelper.DuplicateKey(start);
            }

            reader.Ascend();
            return set;
        }
    }

    /// <summary>Any other collection.</summary>
    /// <typeparam name="TCollection">The collection.</typeparam>
    /// <typeparam name="T">The item.</typeparam>
    /// <typeparam name="TFormatter">The formatter of its items.</typeparam>
    /// <typeparam name="TFactory">Creates it.</typeparam>
    public readonly struct Any<TCollection, T, TFormatter, TFactory> : IMessagePackFormatter<TCollection>
        where TCollection : class, IEnumerable<T>
        where TFormatter : struct, IMessagePackFormatter<T>
        where TFactory : struct, ICollectionFactory<TCollection, T>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, TCollection? value)
        {
            switch (value)
            {
                case null:
                    writer.WriteNil();
                    break;
                case T[] array:
                    ItemFormatter.Write<T, TFormatter>(ref writer, array);
                    break;
                case List<T> list:
                    ItemFormatter.Write<T, TFormatter>(ref writer, CollectionsMarshal.AsSpan(list));
                    break;
                default:
                    Enumerate(ref writer, value);
                    break;
            }
        }

        /// <inheritdoc/>
        public TCollection? Read(ref MessagePackReader reader)
        {
            if (reader.TryReadNil())
                return null;

            var start = reader.Consumed;
            var items = ItemFormatter.ReadArray<T, TFormatter>(ref reader);
            var made = TFactory.Create(items);
            if (made is ISet<T> or IReadOnlySet<T> && made.Count() != items.Length)
                ThrowHelper.DuplicateKey(start);
            return made;
        }

        private static void Enumerate(ref MessagePackWriter writer, TCollection value)
        {
            if (!value.TryGetNonEnumeratedCount(out var count))
            {
                ItemFormatter.Write<T, TFormatter>(ref writer, value.ToArray());
                return;
            }

            writer.WriteArrayHeader(count);
            writer.Descend();
            foreach (var item in value)
                default(TFormatter).Write(ref writer, item);
            writer.Ascend();
        }
    }
}
