// Hot path: generated formatter -> this -> the item's formatter. Allocations: the collection read.
using System.Collections.Immutable;
using System.Runtime.InteropServices;
using Postrider.Xml.Elements;

namespace Postrider.Xml.Formatters;

/// <summary>Formatters of collections: an element for each item.</summary>
public static class Collections
{
    /// <summary>Any collection.</summary>
    /// <typeparam name="TCollection">The collection.</typeparam>
    /// <typeparam name="T">The item.</typeparam>
    /// <typeparam name="TFormatter">The formatter of its items.</typeparam>
    /// <typeparam name="TName">Name of an item's element.</typeparam>
    /// <typeparam name="TFactory">Creates the collection.</typeparam>
    public readonly struct Of<TCollection, T, TFormatter, TName, TFactory> : IXmlFormatter<TCollection>
        where TCollection : IEnumerable<T>
        where TFormatter : struct, IXmlFormatter<T>
        where TName : struct, IXmlName
        where TFactory : struct, ICollectionFactory<TCollection, T>
    {
        /// <inheritdoc/>
        public void Write(ref ElementWriter writer, TCollection value)
        {
            if (value is null or ImmutableArray<T> { IsDefault: true })
            {
                writer.WriteNil();
                return;
            }

            var outer = writer.Enter(TName.Namespace);
            switch (value)
            {
                case T[] array:
                    Items(ref writer, array);
                    break;
                case List<T> list:
                    Items(ref writer, CollectionsMarshal.AsSpan(list));
                    break;
                default:
                    foreach (var item in value)
                        Item(ref writer, item);
                    break;
            }

            writer.Leave(outer);
        }

        /// <inheritdoc/>
        public TCollection Read(ref ElementReader reader)
        {
            if (reader.TryReadNil())
                return default!;
            var items = new List<T>();
            var element = reader.Enter();
            while (true)
            {
                if (!reader.TryMoveTo(element, TName.Name, TName.Namespace))
                {
                    if (!reader.MoveToChild(element))
                        return TFactory.Create(items);
                    if (!reader.LocalName.SequenceEqual(TName.Name))
                        ThrowHelper.Throw(XmlError.UnexpectedElement, $"Expected '{ThrowHelper.Shown(TName.Name)}' at byte {reader.Position}, found {reader.Describe()}.", reader.Position);
                }

                items.Add(default(TFormatter).Read(ref reader));
            }
        }

        private static void Items(ref ElementWriter writer, ReadOnlySpan<T> items)
        {
            foreach (var item in items)
                Item(ref writer, item);
        }

        private static void Item(ref ElementWriter writer, T item)
        {
            writer.Start(TName.Name);
            default(TFormatter).Write(ref writer, item);
            writer.End(TName.Name);
        }
    }
}
